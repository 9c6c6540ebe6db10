//go:build !purego

#include "textflag.h"

// Adds the products of 16 values of one row, at register row, with the query in Y8.
#define STEP16(row, acc, tmp) \
	VPMOVSXBW (row)(BX*1), tmp \
	VPMADDWD  Y8, tmp, tmp     \
	VPADDD    tmp, acc, acc

// The same for 8 values. The upper lane of the 256-bit name of tmp is zero after it.
#define STEP8(row, acc, tmpx, tmp) \
	VPMOVSXBW (row)(BX*1), tmpx \
	VPMADDWD  X8, tmpx, tmpx    \
	VPADDD    tmp, acc, acc

// func dotRowsAVX2(q *int16, rows *int8, dim, n int, out *int32)
TEXT ·dotRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ dim+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ out+32(FP), R8
	MOVQ DX, R12
	ANDQ $~15, R12 // where the steps of 16 end

four: // four rows at a time share the loads of the query
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
	TESTQ R12, R12
	JZ    four8

four16:
	VMOVDQU (SI)(BX*2), Y8
	STEP16(DI, Y0, Y4)
	STEP16(R9, Y1, Y5)
	STEP16(R10, Y2, Y6)
	STEP16(R11, Y3, Y7)
	ADDQ $16, BX
	CMPQ BX, R12
	JLT  four16
	CMPQ BX, DX
	JGE  foursum

four8:
	VMOVDQU (SI)(BX*2), X8
	STEP8(DI, Y0, X4, Y4)
	STEP8(R9, Y1, X5, Y5)
	STEP8(R10, Y2, X6, Y6)
	STEP8(R11, Y3, X7, Y7)

foursum:
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0 // each lane: a partial sum of row 0, 1, 2, 3
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
	VPXOR Y1, Y1, Y1
	XORQ  BX, BX
	TESTQ R12, R12
	JZ    one8

one16:
	VMOVDQU (SI)(BX*2), Y8
	STEP16(DI, Y0, Y4)
	ADDQ $16, BX
	CMPQ BX, R12
	JLT  one16
	CMPQ BX, DX
	JGE  onesum

one8:
	VMOVDQU (SI)(BX*2), X8
	STEP8(DI, Y0, X4, Y4)

onesum:
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
