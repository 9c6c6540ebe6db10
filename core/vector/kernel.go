package vector

// dotRows writes to out[i] the inner product of q and row i of rows, which lie one after the other,
// len(q) values each; len(q) is a multiple of 8. Sums wrap like int32 does; [quantizeQuery] picks a
// range in which they cannot.
func dotRows(q []int16, rows []int8, out []int32) {
	if len(out) == 0 || len(q) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(q)]
	if !dotRowsFast(q, rows, out) {
		dotRowsGo(q, rows, out)
	}
}

// dotRowsGo is dotRows in plain Go: the fallback, and what the kernels are tested against.
func dotRowsGo(q []int16, rows []int8, out []int32) {
	for i := range out {
		row := rows[i*len(q):][:len(q)]
		var a, b, c, d int32
		for j := 0; j+4 <= len(row) && j+4 <= len(q); j += 4 {
			a += int32(row[j]) * int32(q[j])
			b += int32(row[j+1]) * int32(q[j+1])
			c += int32(row[j+2]) * int32(q[j+2])
			d += int32(row[j+3]) * int32(q[j+3])
		}
		out[i] = a + b + c + d
	}
}
