package cli

import "github.com/spf13/cobra"

func (a *app) proxyCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "proxy",
		Short: "Give any chat client memory: pass requests on to the model's server",
		Long: `Passes every request on to the model's server and gives chats memory: OpenAI's chat
completions and responses, Anthropic's messages, Ollama's chat. Only the client's base
URL changes. Everything else, web pages and WebSockets included, passes through as it is.

Headers of a request: x-orma-space names the space, x-orma-skip: 1 leaves memory out.
Answers say in x-orma-memory what became of it.`,
		Example: `  orma proxy --upstream http://127.0.0.1:11434
  orma proxy --port 9000`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			mode := serveMode{proxyOnly: true}
			if f.open {
				mode.page = runtimePage
			}
			return a.serve(cmd, &f, mode)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&f.open, "open", false, "open the page of the model's server in the browser")
	return c
}
