//go:build !purego

#include "textflag.h"

// Loads the weights of two inputs for 16 outputs: 32 bytes at DI. Afterwards each 32-bit lane of Y12
// (outputs 0 to 7) and Y13 (8 to 15) holds both weights of one output as int16.
#define WEIGHTS(at) \
	VMOVDQU    at(DI), X14        \
	VPUNPCKLBW at+16(DI), X14, X12 \
	VPUNPCKHBW at+16(DI), X14, X13 \
	VPMOVSXBW  X12, Y12           \
	VPMOVSXBW  X13, Y13

// Adds two inputs of one token, at register x, to its sums lo and hi.
#define TOKEN_AVX2(x, at, lo, hi, t0, t1) \
	VPBROADCASTD at(x)(BX*1), Y15 \
	VPMADDWD     Y12, Y15, t0     \
	VPMADDWD     Y13, Y15, t1     \
	VPADDD       t0, lo, lo       \
	VPADDD       t1, hi, hi

// The same in one instruction a sum.
#define TOKEN_VNNI(x, at, lo, hi, t0, t1) \
	VPBROADCASTD at(x)(BX*1), Y15 \
	VPDPWSSD     Y12, Y15, lo     \
	VPDPWSSD     Y13, Y15, hi

#define TOKENS(TOKEN, at) \
	TOKEN(SI, at, Y0, Y1, Y8, Y9)    \
	TOKEN(R9, at, Y2, Y3, Y10, Y11)  \
	TOKEN(R10, at, Y4, Y5, Y8, Y9)   \
	TOKEN(R11, at, Y6, Y7, Y10, Y11)

// Arguments x, groups, k, w, out. DX becomes the bytes of a token.
#define PANEL(TOKEN) \
	MOVQ x+0(FP), SI          \
	MOVQ groups+8(FP), CX     \
	MOVQ k+16(FP), DX         \
	MOVQ out+32(FP), R8       \
	SHLQ $1, DX               \
group:                            \
	MOVQ w+24(FP), DI         \
	LEAQ (SI)(DX*1), R9       \
	LEAQ (R9)(DX*1), R10      \
	LEAQ (R10)(DX*1), R11     \
	VPXOR Y0, Y0, Y0          \
	VPXOR Y1, Y1, Y1          \
	VPXOR Y2, Y2, Y2          \
	VPXOR Y3, Y3, Y3          \
	VPXOR Y4, Y4, Y4          \
	VPXOR Y5, Y5, Y5          \
	VPXOR Y6, Y6, Y6          \
	VPXOR Y7, Y7, Y7          \
	XORQ BX, BX               \
inputs:                           \
	WEIGHTS(0)                \
	TOKENS(TOKEN, 0)          \
	WEIGHTS(32)               \
	TOKENS(TOKEN, 4)          \
	ADDQ $64, DI              \
	ADDQ $8, BX               \
	CMPQ BX, DX               \
	JLT  inputs               \
	VMOVDQU Y0, (R8)          \
	VMOVDQU Y1, 32(R8)        \
	VMOVDQU Y2, 64(R8)        \
	VMOVDQU Y3, 96(R8)        \
	VMOVDQU Y4, 128(R8)       \
	VMOVDQU Y5, 160(R8)       \
	VMOVDQU Y6, 192(R8)       \
	VMOVDQU Y7, 224(R8)       \
	ADDQ $256, R8             \
	LEAQ (R11)(DX*1), SI      \
	DECQ CX                   \
	JNZ  group                \
	VZEROUPPER                \
	RET

// func panelDotsAVX2(x *int16, groups, k int, w *int8, out *int32)
TEXT ·panelDotsAVX2(SB), NOSPLIT, $0-40
	PANEL(TOKEN_AVX2)

// func panelDotsVNNI(x *int16, groups, k int, w *int8, out *int32)
TEXT ·panelDotsVNNI(SB), NOSPLIT, $0-40
	PANEL(TOKEN_VNNI)

// Adds 16 products of one row, at register row, with the query in Y8.
#define STEP16(row, acc, tmp) \
	VPMADDWD (row)(BX*1), Y8, tmp \
	VPADDD   tmp, acc, acc

// func rowDotsAVX2(q, rows *int16, dim, n int, out *int32)
TEXT ·rowDotsAVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ dim+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ out+32(FP), R8
	SHLQ $1, DX // bytes of a row

four:
	CMPQ  CX, $4
	JLT   one
	LEAQ  (DI)(DX*1), R9
	LEAQ  (R9)(DX*1), R10
	LEAQ  (R10)(DX*1), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  BX, BX

four16:
	VMOVDQU (SI)(BX*1), Y8
	STEP16(DI, Y0, Y4)
	STEP16(R9, Y1, Y5)
	STEP16(R10, Y2, Y6)
	STEP16(R11, Y3, Y7)
	ADDQ         $32, BX
	CMPQ         BX, DX
	JLT          four16
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (R8)
	ADDQ         $16, R8
	LEAQ         (R11)(DX*1), DI
	SUBQ         $4, CX
	JMP          four

one:
	TESTQ CX, CX
	JZ    done
	VPXOR Y0, Y0, Y0
	XORQ  BX, BX

one16:
	VMOVDQU (SI)(BX*1), Y8
	STEP16(DI, Y0, Y4)
	ADDQ         $32, BX
	CMPQ         BX, DX
	JLT          one16
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, (R8)
	ADDQ         $4, R8
	ADDQ         DX, DI
	DECQ         CX
	JMP          one

done:
	VZEROUPPER
	RET
