package serve

import (
	"context"
	"os/exec"
	"runtime"
)

// OpenBrowser shows a page to the user, and waits no longer than it takes to start the
// browser.
func OpenBrowser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, args...) // the browser outlives us
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
