package main

import (
	"slices"
	"time"
)

// samples are latencies of one phase, or of several.
type samples struct {
	recalls, writes []time.Duration
	late            int
	cpu             time.Duration
	lasted          time.Duration
}

func (s *samples) add(o samples) {
	s.recalls = append(s.recalls, o.recalls...)
	s.writes = append(s.writes, o.writes...)
	s.late += o.late
	s.cpu += o.cpu
	s.lasted += o.lasted
}

// side is what was measured on one side, in milliseconds.
type side struct {
	Recalls   int     `json:"recalls"`
	Writes    int     `json:"writes"`
	RecallP50 float64 `json:"recall_p50_ms"`
	RecallP95 float64 `json:"recall_p95_ms"`
	WriteP50  float64 `json:"write_p50_ms"`
	WriteP95  float64 `json:"write_p95_ms"`
	Late      int     `json:"late"`      // operations that began after the next was due
	Cores     float64 `json:"cpu_cores"` // processor time for each second, where the system tells
}

func (s *samples) side() side {
	o := side{
		Recalls: len(s.recalls), Writes: len(s.writes), Late: s.late,
		RecallP50: quantile(s.recalls, 0.5), RecallP95: quantile(s.recalls, 0.95),
		WriteP50: quantile(s.writes, 0.5), WriteP95: quantile(s.writes, 0.95),
	}
	if s.lasted > 0 {
		o.Cores = s.cpu.Seconds() / s.lasted.Seconds()
	}
	return o
}

// quantile returns a quantile in milliseconds.
func quantile(d []time.Duration, q float64) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return float64(d[min(int(q*float64(len(d))), len(d)-1)].Microseconds()) / 1000
}

// spread is how a figure came out over the rounds.
type spread struct {
	Median float64   `json:"median"`
	Low    float64   `json:"quartile_low"`
	High   float64   `json:"quartile_high"`
	Rounds []float64 `json:"rounds"`
}

func spreadOf(rounds []float64) spread {
	if len(rounds) == 0 {
		return spread{}
	}
	s := slices.Sorted(slices.Values(rounds))
	at := func(q float64) float64 { return s[int(q*float64(len(s)-1)+0.5)] }
	return spread{Median: at(0.5), Low: at(0.25), High: at(0.75), Rounds: rounds}
}

// result is what was measured.
type result struct {
	Machine  string   `json:"machine"`
	Notes    int      `json:"notes"`
	Backlog  int      `json:"backlog"`
	Workers  int      `json:"workers"`
	Alone    side     `json:"without_sleep"`
	Beside   side     `json:"with_sleep"`
	RatioP50 spread   `json:"recall_p50_ratio"`
	RatioP95 spread   `json:"recall_p95_ratio"`
	Batches  int      `json:"sleep_batches"`
	Lines    int      `json:"sleep_lines"`
	Second   int      `json:"sleep_lines_a_second"`
	Dry      bool     `json:"backlog_ran_dry,omitempty"` // then the figure flatters
	Locks    int      `json:"lock_errors"`
	Errors   []string `json:"errors,omitempty"` // others, the first few
}
