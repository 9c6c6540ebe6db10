//go:build !purego

#include "textflag.h"

// Instructions that Go's assembler does not know, by their encodings (Arm ARM, C7.2). All work on four
// values of 32 bits.
#define UMAX(d, n, m) WORD $(0x6EA06400 | m<<16 | n<<5 | d)
#define UMAXV(d, n)   WORD $(0x6EB0A800 | n<<5 | d)
#define FMUL(d, n, m) WORD $(0x6E20DC00 | m<<16 | n<<5 | d)
#define FADD(d, n, m) WORD $(0x4E20D400 | m<<16 | n<<5 | d)
#define FCVTNS(d, n)  WORD $(0x4E21A800 | n<<5 | d) // to the nearest integer, halves to even
#define SCVTF(d, n)   WORD $(0x4E21D800 | n<<5 | d)
#define SQXTN(d, n)   WORD $(0x0E614800 | n<<5 | d) // to the low half of 16-bit values
#define SQXTN2(d, n)  WORD $(0x4E614800 | n<<5 | d) // to the high half

// func largestBitsNEON(x *float32, n int) uint32
TEXT ·largestBitsNEON(SB), NOSPLIT, $0-20
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	MOVW $0x7FFFFFFF, R2
	VDUP R2, V31.S4
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16

loop:
	VLD1.P 64(R0), [V4.B16, V5.B16, V6.B16, V7.B16]
	VAND   V31.B16, V4.B16, V4.B16
	VAND   V31.B16, V5.B16, V5.B16
	VAND   V31.B16, V6.B16, V6.B16
	VAND   V31.B16, V7.B16, V7.B16
	UMAX(0, 0, 4)
	UMAX(1, 1, 5)
	UMAX(0, 0, 6)
	UMAX(1, 1, 7)
	SUBS   $16, R1
	BNE    loop
	UMAX(0, 0, 1)
	UMAXV(0, 0)
	VMOV   V0.S[0], R3
	MOVW   R3, ret+16(FP)
	RET

// func scaleToIntsNEON(dst *int16, x *float32, n int, f float32)
TEXT ·scaleToIntsNEON(SB), NOSPLIT, $0-28
	MOVD dst+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	MOVW f+24(FP), R3
	VDUP R3, V31.S4

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMUL(0, 0, 31)
	FMUL(1, 1, 31)
	FMUL(2, 2, 31)
	FMUL(3, 3, 31)
	FCVTNS(0, 0)
	FCVTNS(1, 1)
	FCVTNS(2, 2)
	FCVTNS(3, 3)
	SQXTN(4, 0)
	SQXTN2(4, 1)
	SQXTN(5, 2)
	SQXTN2(5, 3)
	VST1.P [V4.H8, V5.H8], 32(R0)
	SUBS   $16, R2
	BNE    loop
	RET

// func finishPanelNEON(y *float32, stride int, sums *int32, rows int, scale, bias, rowScales *float32)
TEXT ·finishPanelNEON(SB), NOSPLIT, $0-56
	MOVD y+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD sums+16(FP), R2
	MOVD rows+24(FP), R3
	MOVD scale+32(FP), R4
	MOVD bias+40(FP), R5
	MOVD rowScales+48(FP), R6
	LSL  $2, R1
	VLD1 (R4), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1 (R5), [V20.S4, V21.S4, V22.S4, V23.S4]

loop:
	MOVW.P 4(R6), R7
	VDUP   R7, V31.S4
	VLD1.P 64(R2), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMUL(24, 16, 31)
	FMUL(25, 17, 31)
	FMUL(26, 18, 31)
	FMUL(27, 19, 31)
	SCVTF(0, 0)
	SCVTF(1, 1)
	SCVTF(2, 2)
	SCVTF(3, 3)
	FMUL(0, 0, 24)
	FMUL(1, 1, 25)
	FMUL(2, 2, 26)
	FMUL(3, 3, 27)
	FADD(0, 0, 20)
	FADD(1, 1, 21)
	FADD(2, 2, 22)
	FADD(3, 3, 23)
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0)
	ADD  R1, R0
	SUBS $1, R3
	BNE  loop
	RET
