package cli

import "github.com/spf13/cobra"

// runtimePage is where a model's server has its own page.
const runtimePage = "/#/"

func (a *app) upCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "up",
		Short: "Serve memory and open the model server's own page with it",
		Long: `Does what serve does and opens the page of the model's server in the browser, through
the proxy: what is said there is remembered.`,
		Example: `  orma up
  orma up --upstream http://127.0.0.1:9931`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.serve(cmd, &f, serveMode{page: runtimePage})
		},
	}
	f.add(c)
	return c
}
