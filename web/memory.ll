; The arrays that kernels make for themselves, in place of numba's runtime. They end with the call that made them, so
; every call begins with the whole space; within a call, what is freed last is used again first. Where the space is
; full, numba raises a MemoryError.
;
; block: i32 previous block, i32 freed?, 8 bytes unused; then what numba reads: i64 references, ptr destructor, ptr,
; ptr data, i64 size, …; the data begins 64 bytes behind the block

@space = internal global ptr null
@limit = internal global i32 0
@top = internal global ptr null
@next = internal global i32 0

define void @space_give(ptr %begin, i32 %bytes) {
  store ptr %begin, ptr @space
  store i32 %bytes, ptr @limit
  ret void
}

define void @space_reset() {
  store ptr null, ptr @top
  store i32 0, ptr @next
  ret void
}

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {
  %begin = load i32, ptr @next
  %limit = load i32, ptr @limit
  %begin64 = zext i32 %begin to i64
  %limit64 = zext i32 %limit to i64
  %used = add i64 %begin64, 64
  %ends = add i64 %used, %size
  %too_long = icmp ugt i64 %size, %limit64
  %too_far = icmp ugt i64 %ends, %limit64
  %full = or i1 %too_long, %too_far
  br i1 %full, label %refuse, label %give
refuse:
  ret ptr null
give:
  %space = load ptr, ptr @space
  %block = getelementptr i8, ptr %space, i32 %begin
  %before = load ptr, ptr @top
  store ptr %before, ptr %block
  %freed = getelementptr i8, ptr %block, i32 4
  store i32 0, ptr %freed
  store ptr %block, ptr @top
  %end = trunc i64 %ends to i32
  %up = add i32 %end, 63
  %whole = and i32 %up, -64
  store i32 %whole, ptr @next
  %info = getelementptr i8, ptr %block, i32 16
  store i64 1, ptr %info
  %data = getelementptr i8, ptr %block, i32 64
  %slot = getelementptr {i64, ptr, ptr, ptr, i64}, ptr %info, i32 0, i32 3
  store ptr %data, ptr %slot
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) noinline {
  %block = getelementptr i8, ptr %info, i32 -16
  %freed = getelementptr i8, ptr %block, i32 4
  store i32 1, ptr %freed
  br label %look
look:
  %top = load ptr, ptr @top
  %none = icmp eq ptr %top, null
  br i1 %none, label %out, label %is_freed
is_freed:
  %flag = getelementptr i8, ptr %top, i32 4
  %value = load i32, ptr %flag
  %used = icmp eq i32 %value, 0
  br i1 %used, label %out, label %pop
pop:
  %before = load ptr, ptr %top
  store ptr %before, ptr @top
  %at = ptrtoint ptr %top to i32
  %space = load ptr, ptr @space
  %base = ptrtoint ptr %space to i32
  %back = sub i32 %at, %base
  store i32 %back, ptr @next
  br label %look
out:
  ret void
}
