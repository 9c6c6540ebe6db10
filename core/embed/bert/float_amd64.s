//go:build !purego

#include "textflag.h"

// func largestBitsAVX2(x *float32, n int) uint32
TEXT ·largestBitsAVX2(SB), NOSPLIT, $0-20
	MOVQ     x+0(FP), SI
	MOVQ     n+8(FP), CX
	VPCMPEQD Y7, Y7, Y7
	VPSRLD   $1, Y7, Y7 // all bits but the sign
	VPXOR    Y0, Y0, Y0
	VPXOR    Y1, Y1, Y1

loop:
	VPAND   (SI), Y7, Y2
	VPAND   32(SI), Y7, Y3
	VPMAXUD Y2, Y0, Y0
	VPMAXUD Y3, Y1, Y1
	ADDQ    $64, SI
	SUBQ    $16, CX
	JNZ     loop

	VPMAXUD      Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVD        X0, AX
	MOVL         AX, ret+16(FP)
	VZEROUPPER
	RET

// func scaleToIntsAVX2(dst *int16, x *float32, n int, f float32)
TEXT ·scaleToIntsAVX2(SB), NOSPLIT, $0-28
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS f+24(FP), Y0

loop:
	VMULPS    (SI), Y0, Y1
	VMULPS    32(SI), Y0, Y2
	VCVTPS2DQ Y1, Y1
	VCVTPS2DQ Y2, Y2
	VPACKSSDW Y2, Y1, Y1
	VPERMQ    $0xD8, Y1, Y1 // packing went by lanes
	VMOVDQU   Y1, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JNZ       loop
	VZEROUPPER
	RET

// func finishPanelAVX2(y *float32, stride int, sums *int32, rows int, scale, bias, rowScales *float32)
TEXT ·finishPanelAVX2(SB), NOSPLIT, $0-56
	MOVQ    y+0(FP), DI
	MOVQ    stride+8(FP), DX
	MOVQ    sums+16(FP), SI
	MOVQ    rows+24(FP), CX
	MOVQ    scale+32(FP), R8
	MOVQ    bias+40(FP), R9
	MOVQ    rowScales+48(FP), R10
	SHLQ    $2, DX
	VMOVUPS (R8), Y0
	VMOVUPS 32(R8), Y1
	VMOVUPS (R9), Y2
	VMOVUPS 32(R9), Y3

loop:
	VBROADCASTSS (R10), Y4
	VMULPS       Y4, Y0, Y5
	VMULPS       Y4, Y1, Y6
	VCVTDQ2PS    (SI), Y7
	VCVTDQ2PS    32(SI), Y8
	VMULPS       Y5, Y7, Y7
	VMULPS       Y6, Y8, Y8
	VADDPS       Y2, Y7, Y7
	VADDPS       Y3, Y8, Y8
	VMOVUPS      Y7, (DI)
	VMOVUPS      Y8, 32(DI)
	ADDQ         $4, R10
	ADDQ         $64, SI
	ADDQ         DX, DI
	DECQ         CX
	JNZ          loop
	VZEROUPPER
	RET
