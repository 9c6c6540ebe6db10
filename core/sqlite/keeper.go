package sqlite

import (
	"context"
	"time"

	"github.com/orma-memory/orma/core"
)

func (s *Store) Erase(ctx context.Context, space string, episode core.ID, at time.Time) (core.Receipt, error) {
	panic("x")
}
func (s *Store) EraseSpace(ctx context.Context, space string, at time.Time) (core.Receipt, error) {
	panic("x")
}
func (s *Store) Quarantine(ctx context.Context, space, source string, since, at time.Time, hide bool) (core.Receipt, error) {
	panic("x")
}
func (s *Store) Check(ctx context.Context, fix bool, derive func(core.Episode) (core.Draft, error)) (core.Health, error) {
	panic("x")
}
func (s *Store) Requeue(ctx context.Context, space string, at time.Time) error { panic("x") }
