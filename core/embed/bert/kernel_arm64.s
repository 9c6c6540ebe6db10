//go:build !purego

#include "textflag.h"

// Instructions that Go's assembler does not know, by their encodings (Arm ARM, C7.2).
#define SXTL(d, n)      WORD $(0x0F08A400 | n<<5 | d)         // SXTL   Vd.8H, Vn.8B
#define SXTL2(d, n)     WORD $(0x4F08A400 | n<<5 | d)         // SXTL2  Vd.8H, Vn.16B
#define SMLAL(d, n, m)  WORD $(0x0E608000 | m<<16 | n<<5 | d) // SMLAL  Vd.4S, Vn.4H, Vm.4H
#define SMLAL2(d, n, m) WORD $(0x4E608000 | m<<16 | n<<5 | d) // SMLAL2 Vd.4S, Vn.8H, Vm.8H

// SMLAL and SMLAL2 with one value of Vm, Vm.H[4h+2l+i].
#define SMLALE(d, n, m, h, l, i)  WORD $(0x0F402000 | l<<21 | i<<20 | m<<16 | h<<11 | n<<5 | d)
#define SMLAL2E(d, n, m, h, l, i) WORD $(0x4F402000 | l<<21 | i<<20 | m<<16 | h<<11 | n<<5 | d)

// Adds one input of token m, whose sums start at register d, for 16 outputs.
#define TOKEN(d, m, h, l, i) \
	SMLALE(d, 5, m, h, l, i)        \
	SMLAL2E((d+1), 5, m, h, l, i)   \
	SMLALE((d+2), 6, m, h, l, i)    \
	SMLAL2E((d+3), 6, m, h, l, i)

// Adds one input of each of four tokens.
#define INPUT(h, l, i) \
	VLD1.P 16(R3), [V4.B16] \
	SXTL(5, 4)              \
	SXTL2(6, 4)             \
	TOKEN(16, 0, h, l, i)   \
	TOKEN(20, 1, h, l, i)   \
	TOKEN(24, 2, h, l, i)   \
	TOKEN(28, 3, h, l, i)

// func panelDotsNEON(x *int16, groups, k int, w *int8, out *int32)
TEXT ·panelDotsNEON(SB), NOSPLIT, $0-40
	MOVD x+0(FP), R0
	MOVD groups+8(FP), R1
	MOVD k+16(FP), R2
	MOVD out+32(FP), R4
	LSL  $1, R2, R5 // bytes of a token

group:
	MOVD w+24(FP), R3
	ADD  R5, R0, R6
	ADD  R5, R6, R7
	ADD  R5, R7, R8
	LSR  $3, R2, R9
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16

inputs:
	VLD1.P 16(R0), [V0.H8]
	VLD1.P 16(R6), [V1.H8]
	VLD1.P 16(R7), [V2.H8]
	VLD1.P 16(R8), [V3.H8]
	INPUT(0, 0, 0)
	INPUT(0, 0, 1)
	INPUT(0, 1, 0)
	INPUT(0, 1, 1)
	INPUT(1, 0, 0)
	INPUT(1, 0, 1)
	INPUT(1, 1, 0)
	INPUT(1, 1, 1)
	SUB    $1, R9
	CBNZ   R9, inputs
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R4)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R4)
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], 64(R4)
	VST1.P [V28.S4, V29.S4, V30.S4, V31.S4], 64(R4)
	MOVD   R8, R0
	SUB    $1, R1
	CBNZ   R1, group
	RET

// func rowDotsNEON(q, rows *int16, dim, n int, out *int32)
TEXT ·rowDotsNEON(SB), NOSPLIT, $0-40
	MOVD q+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD dim+16(FP), R2
	MOVD n+24(FP), R3
	MOVD out+32(FP), R4

row:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R0, R5
	LSR  $4, R2, R6

step16:
	VLD1.P 32(R1), [V4.H8, V5.H8]
	VLD1.P 32(R5), [V6.H8, V7.H8]
	SMLAL(0, 4, 6)
	SMLAL2(1, 4, 6)
	SMLAL(2, 5, 7)
	SMLAL2(3, 5, 7)
	SUB    $1, R6
	CBNZ   R6, step16
	VADD   V1.S4, V0.S4, V0.S4
	VADD   V3.S4, V2.S4, V2.S4
	VADD   V2.S4, V0.S4, V0.S4
	VADDV  V0.S4, V0
	VMOV   V0.S[0], R7
	MOVW.P R7, 4(R4)
	SUB    $1, R3
	CBNZ   R3, row
	RET
