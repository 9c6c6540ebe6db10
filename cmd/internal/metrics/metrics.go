// Package metrics counts what a server does, for Prometheus. No label ever holds a
// space, a token or a word of memory.
//
// It is the only package that imports the Prometheus client.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Set are the metrics of one server. It is safe for concurrent use.
type Set struct {
	reg      *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	chats    *prometheus.CounterVec
	recalls  prometheus.Histogram
	recorded *prometheus.CounterVec
	sleeps   *prometheus.CounterVec
	refused  *prometheus.CounterVec
}

// Gauges are read when the metrics are.
type Gauges struct {
	Queue func() float64 // turns that wait to be recorded
	Ready func() float64 // 1 or 0
}

// New returns the metrics of a server.
func New(version string, g Gauges) *Set {
	s := &Set{
		reg: prometheus.NewRegistry(),
		requests: counter("orma_api_requests_total", "Requests of the HTTP API.",
			"verb", "status"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "orma_api_request_seconds", Help: "Time of requests of the HTTP API.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30},
		}, []string{"verb"}),
		chats: counter("orma_proxy_requests_total", "Requests that the proxy passed on, and what became of memory in them.",
			"api", "memory"),
		recalls: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "orma_proxy_recall_seconds", Help: "Time that memory took before a request went on.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5},
		}),
		recorded: counter("orma_proxy_recorded_total", "Turns that the proxy recorded, or had to set aside.", "outcome"),
		sleeps:   counter("orma_sleep_total", "Sleeps in the background.", "outcome"),
		refused:  counter("orma_refused_total", "Requests that were not let in.", "code"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "orma_build_info", Help: "The version that runs.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	s.reg.MustRegister(s.requests, s.seconds, s.chats, s.recalls, s.recorded, s.sleeps, s.refused, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	gauge := func(name, help string, read func() float64) {
		if read != nil {
			s.reg.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
		}
	}
	gauge("orma_proxy_queue", "Turns that wait to be recorded.", g.Queue)
	gauge("orma_ready", "Whether the server is ready: 1 or 0.", g.Ready)
	return s
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Handler serves the metrics.
func (s *Set) Handler() http.Handler {
	return promhttp.HandlerFor(s.reg, promhttp.HandlerOpts{Registry: s.reg})
}

// Request counts an answer of the API.
func (s *Set) Request(verb string, status int, took time.Duration) {
	s.requests.WithLabelValues(verb, strconv.Itoa(status)).Inc()
	s.seconds.WithLabelValues(verb).Observe(took.Seconds())
}

// Chat counts a request of the proxy by its API and by what became of memory in it.
func (s *Set) Chat(api, memory string) { s.chats.WithLabelValues(api, memory).Inc() }

// Recall counts how long memory took before a request went on.
func (s *Set) Recall(took time.Duration) { s.recalls.Observe(took.Seconds()) }

// Recorded counts turns by what became of them.
func (s *Set) Recorded(outcome string, n int) { s.recorded.WithLabelValues(outcome).Add(float64(n)) }

// Slept counts a sleep.
func (s *Set) Slept(outcome string) { s.sleeps.WithLabelValues(outcome).Inc() }

// Refused counts a request that was not let in.
func (s *Set) Refused(code string) { s.refused.WithLabelValues(code).Inc() }
