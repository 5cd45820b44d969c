;; Where bytes lie in others, and the checksum of some: sixteen bytes at once, and sixty-four where nothing is near.
;; Knows one memory: the needle at its beginning, what is looked through anywhere behind.
(module
  (memory (export "memory") 1)
  ;; The first place from `at` on where the needle lies before `end`, or -1; -2 where so much of it was found again
  ;; and again that comparing by bytes would not end soon. `i` and `j` are two places of the needle: others are
  ;; compared only where these two bytes are found. Bytes behind the end are read, up to 15 and the needle's length.
  (func (export "find") (param $at i32) (param $end i32) (param $size i32) (param $i i32) (param $j i32)
    (result i32)
    (local $a v128) (local $b v128) (local $found i32) (local $place i32) (local $same i32) (local $steps i32)
    (local $near i32)
    (local.set $a (v128.load8_splat (local.get $i)))
    (local.set $b (v128.load8_splat (local.get $j)))
    (local.set $steps (i32.shl (i32.sub (local.get $end) (local.get $at)) (i32.const 1)))
    (local.set $end (i32.sub (local.get $end) (local.get $size)))
    (block $none
      (loop $sixteen
        (br_if $none (i32.gt_s (local.get $at) (local.get $end)))
        ;; Sixty-four at once, as long as the two bytes are in none of them: then those one by one.
        (block $closer
          (br_if $closer (i32.lt_s (local.get $at) (local.get $near)))
          (loop $far
            (local.set $near (i32.add (local.get $at) (i32.const 64)))
            (br_if $closer (i32.gt_s (local.get $near) (local.get $end)))
            (br_if $closer
              (v128.any_true
                (v128.or
                  (v128.or
                    (v128.and
                      (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $i))) (local.get $a))
                      (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                    (v128.and
                      (i8x16.eq (v128.load offset=16 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                      (i8x16.eq (v128.load offset=16 (i32.add (local.get $at) (local.get $j))) (local.get $b))))
                  (v128.or
                    (v128.and
                      (i8x16.eq (v128.load offset=32 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                      (i8x16.eq (v128.load offset=32 (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                    (v128.and
                      (i8x16.eq (v128.load offset=48 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                      (i8x16.eq (v128.load offset=48 (i32.add (local.get $at) (local.get $j))) (local.get $b)))))))
            (local.set $at (local.get $near))
            (br $far)))
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
    (i32.const -1))
  ;; `checksum` of the bytes from `at` to `end`: four sums side by side, then what is left over, then the sums.
  (func (export "sum") (param $at i32) (param $end i32) (result i32)
    (local $sums v128) (local $sum i32)
    (local.set $sums (i32x4.replace_lane 0 (local.get $sums) (i32.sub (local.get $end) (local.get $at))))
    (block $few
      (loop $sixteen
        (br_if $few (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $sums
          (i32x4.mul
            (v128.xor (local.get $sums) (v128.load (local.get $at)))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
        (local.set $sums
          (v128.or
            (i32x4.shl (local.get $sums) (i32.const 13))
            (i32x4.shr_u (local.get $sums) (i32.const 19))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $sixteen)))
    (local.set $sum (i32x4.extract_lane 0 (local.get $sums)))
    (block $fewer
      (loop $four
        (br_if $fewer (i32.gt_u (i32.add (local.get $at) (i32.const 4)) (local.get $end)))
        (local.set $sum (call $step (local.get $sum) (i32.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $four)))
    (block $none
      (loop $one
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $sum (call $step (local.get $sum) (i32.load8_u (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $one)))
    (call $step
      (call $step
        (call $step (local.get $sum) (i32x4.extract_lane 1 (local.get $sums)))
        (i32x4.extract_lane 2 (local.get $sums)))
      (i32x4.extract_lane 3 (local.get $sums))))
  (func $step (param $sum i32) (param $word i32) (result i32)
    (i32.rotl
      (i32.mul (i32.xor (local.get $sum) (local.get $word)) (i32.const 0x9e3779b1))
      (i32.const 13))))
