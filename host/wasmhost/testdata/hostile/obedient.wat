;; Leaves the frame alone.
