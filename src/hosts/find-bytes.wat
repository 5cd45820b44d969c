;; Finds bytes in others, and sums some up: sixteen bytes at once, and sixty-four where nothing is near.
;; The one memory has the pattern at its beginning, and the searched bytes anywhere behind it.
(module
  (memory (export "memory") 1)
  ;; The first place from `at` on where the pattern lies before `end`, or -1; -2 after so many repeated comparisons that
  ;; a search byte by byte would not end soon. `i`, `j` and `k` are three places in the pattern: a place is compared
  ;; only where all three bytes are right. Two would be enough for rare letters. In "ing dat" any two are common together.
  ;; Bytes behind the end are read: 15 and the pattern's length at most.
  (func (export "find") (param $at i32) (param $end i32) (param $size i32) (param $i i32) (param $j i32)
    (param $k i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $first v128) (local $beyond v128)
    (local $found i32) (local $place i32) (local $same i32) (local $steps i32) (local $near i32)
    (local.set $a (v128.load8_splat (local.get $i)))
    (local.set $b (v128.load8_splat (local.get $j)))
    (local.set $c (v128.load8_splat (local.get $k)))
    (local.set $first (v128.load (i32.const 0)))
    (local.set $beyond
      (i8x16.ge_u
        (v128.const i8x16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
        (i8x16.splat
          (select (i32.const 16) (local.get $size) (i32.gt_u (local.get $size) (i32.const 16))))))
    (local.set $steps (i32.shl (i32.sub (local.get $end) (local.get $at)) (i32.const 1)))
    (local.set $end (i32.sub (local.get $end) (local.get $size)))
    (block $none
      (loop $sixteen
        (br_if $none (i32.gt_s (local.get $at) (local.get $end)))
        ;; Sixty-four at once, as long as the three bytes are in none of them; then sixteen.
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
                      (v128.and
                        (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $i))) (local.get $a))
                        (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                      (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $k))) (local.get $c)))
                    (v128.and
                      (v128.and
                        (i8x16.eq (v128.load offset=16 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                        (i8x16.eq (v128.load offset=16 (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                      (i8x16.eq (v128.load offset=16 (i32.add (local.get $at) (local.get $k))) (local.get $c))))
                  (v128.or
                    (v128.and
                      (v128.and
                        (i8x16.eq (v128.load offset=32 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                        (i8x16.eq (v128.load offset=32 (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                      (i8x16.eq (v128.load offset=32 (i32.add (local.get $at) (local.get $k))) (local.get $c)))
                    (v128.and
                      (v128.and
                        (i8x16.eq (v128.load offset=48 (i32.add (local.get $at) (local.get $i))) (local.get $a))
                        (i8x16.eq (v128.load offset=48 (i32.add (local.get $at) (local.get $j))) (local.get $b)))
                      (i8x16.eq (v128.load offset=48 (i32.add (local.get $at) (local.get $k))) (local.get $c)))))))
            (local.set $at (local.get $near))
            (br $far)))
        (local.set $found
          (i8x16.bitmask
            (v128.and
              (v128.and
                (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $i))) (local.get $a))
                (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $j))) (local.get $b)))
              (i8x16.eq (v128.load (i32.add (local.get $at) (local.get $k))) (local.get $c)))))
        (block $next
          (loop $one
            (br_if $next (i32.eqz (local.get $found)))
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
            (br_if $none (i32.gt_s (local.get $place) (local.get $end)))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            ;; The first sixteen bytes of the pattern at once; those beyond its end count as equal.
            (br_if $one
              (i32.eqz
                (i8x16.all_true
                  (v128.or
                    (i8x16.eq (v128.load (local.get $place)) (local.get $first))
                    (local.get $beyond)))))
            (local.set $same (i32.const 16))
            (block $differs
              (loop $compare
                (if (i32.ge_u (local.get $same) (local.get $size))
                  (then (return (local.get $place))))
                (br_if $differs
                  (i32.ne
                    (i32.load8_u (i32.add (local.get $place) (local.get $same)))
                    (i32.load8_u (local.get $same))))
                (local.set $same (i32.add (local.get $same) (i32.const 1)))
                (br $compare)))
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
