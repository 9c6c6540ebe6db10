//go:build !purego

#include "textflag.h"

// Instructions that Go's assembler does not know, by their encodings (Arm ARM, C7.2).
#define SXTL(d, n)      WORD $(0x0F08A400 | n<<5 | d)        // SXTL   Vd.8H, Vn.8B
#define SXTL2(d, n)     WORD $(0x4F08A400 | n<<5 | d)        // SXTL2  Vd.8H, Vn.16B
#define SMLAL(d, n, m)  WORD $(0x0E608000 | m<<16 | n<<5 | d) // SMLAL  Vd.4S, Vn.4H, Vm.4H
#define SMLAL2(d, n, m) WORD $(0x4E608000 | m<<16 | n<<5 | d) // SMLAL2 Vd.4S, Vn.8H, Vm.8H

// func dotRowsNEON(q *int16, rows *int8, dim, n int, out *int32)
TEXT ·dotRowsNEON(SB), NOSPLIT, $0-40
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
	CBZ  R6, tail

step16:
	VLD1.P 16(R1), [V4.B16]
	VLD1.P 32(R5), [V5.H8, V6.H8]
	SXTL(7, 4)
	SXTL2(8, 4)
	SMLAL(0, 7, 5)
	SMLAL2(1, 7, 5)
	SMLAL(2, 8, 6)
	SMLAL2(3, 8, 6)
	SUB    $1, R6
	CBNZ   R6, step16

tail:
	TBZ    $3, R2, sum
	VLD1.P 8(R1), [V4.B8]
	VLD1   (R5), [V5.H8]
	SXTL(7, 4)
	SMLAL(0, 7, 5)
	SMLAL2(1, 7, 5)

sum:
	VADD   V1.S4, V0.S4, V0.S4
	VADD   V3.S4, V2.S4, V2.S4
	VADD   V2.S4, V0.S4, V0.S4
	VADDV  V0.S4, V0
	VMOV   V0.S[0], R7
	MOVW.P R7, 4(R4)
	SUB    $1, R3
	CBNZ   R3, row
	RET
