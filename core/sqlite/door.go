package sqlite

import (
	"sync"

	"github.com/orma-memory/orma/core"
)

var (
	errClosed = core.Errorf(core.CodeUnavailable, "the store is closed")
	errRepair = core.Errorf(core.CodeBusy, "the store is being repaired").Hinted("try again when it is done")
)

// door counts the calls in flight, so that closing and repairing can wait for them
// and turn new ones away. The zero door is open.
type door struct {
	mu     sync.Mutex
	inside int
	shutBy error // what new calls are told; nil while open
	empty  *sync.Cond
}

func (d *door) enter() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shutBy != nil {
		return d.shutBy
	}
	d.inside++
	return nil
}

func (d *door) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if d.inside == 0 && d.empty != nil {
		d.empty.Broadcast()
	}
}

// shut turns new calls away with an error and waits for those in flight.
func (d *door) shut(with error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.empty == nil {
		d.empty = sync.NewCond(&d.mu)
	}
	d.shutBy = with
	for d.inside > 0 {
		d.empty.Wait()
	}
}

// open undoes a shut that was for repair.
func (d *door) open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shutBy == error(errRepair) {
		d.shutBy = nil
	}
}
