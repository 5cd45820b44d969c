;; Where bytes lie in others: sixteen places at once.
;; Knows one memory: the needle at its beginning, what is looked through anywhere behind.
(module
  (memory (export "memory") 1)
  ;; The first place from `at` on where the needle lies before `end`, or -1; -2 where so much of it was found again
  ;; and again that comparing by bytes would not end soon. `i` and `j` are two places of the needle: others are
  ;; compared only where these two bytes are found. Bytes behind the end are read, up to 15 and the needle's length.
  (func (export "find") (param $at i32) (param $end i32) (param $size i32) (param $i i32) (param $j i32)
    (result i32)
    (local $a v128) (local $b v128) (local $found i32) (local $place i32) (local $same i32) (local $steps i32)
    (local.set $a (v128.load8_splat (local.get $i)))
    (local.set $b (v128.load8_splat (local.get $j)))
    (local.set $steps (i32.shl (i32.sub (local.get $end) (local.get $at)) (i32.const 1)))
    (local.set $end (i32.sub (local.get $end) (local.get $size)))
    (block $none
      (loop $sixteen
        (br_if $none (i32.gt_s (local.get $at) (local.get $end)))
        (local.set $found
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $i))) (local.get $a))
              (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $j))) (local.get $b)))))
        (block $next
          (loop $one
            (br_if $next (i32.eqz (local.get $found)))
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
            (br_if $none (i32.gt_s (local.get $place) (local.get $end)))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (local.set $same (i32.const 0))
            (block $differs
              (loop $compare
                (br_if $differs
                  (i32.ne
                    (i32.load8_u (i32.add (local.get $place) (local.get $same)))
                    (i32.load8_u (local.get $same))))
                (local.set $same (i32.add (local.get $same) (i32.const 1)))
                (br_if $compare (i32.lt_u (local.get $same) (local.get $size))))
              (return (local.get $place)))
            (local.set $steps (i32.sub (local.get $steps) (local.get $same)))
            (br_if $one (i32.ge_s (local.get $steps) (i32.const 0)))
            (return (i32.const -2))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $sixteen)))
    (i32.const -1)))
