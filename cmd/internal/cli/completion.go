package cli

import (
	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell's completion script",
		Example: `  source <(orma completion bash)
  orma completion fish > ~/.config/fish/completions/orma.fish`,
		ValidArgs: shells,
		Args:      wants(1, 1, "a shell: bash, zsh, fish or powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return usagef("%q is no shell that is known", args[0]).Hinted("use bash, zsh, fish or powershell")
		},
	}
}

// completeSpaces lists the spaces of the database for a shell. Whatever goes wrong, there
// is nothing to complete.
func (a *app) completeSpaces(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	o, err := a.options()
	if err != nil {
		return nil, none
	}
	o.ReadOnly = true
	m, err := local.Open(cmd.Context(), o)
	if err != nil {
		return nil, none
	}
	defer m.Close()
	spaces, err := m.Store.Spaces(cmd.Context())
	if err != nil {
		return nil, none
	}
	names := make([]string, 0, len(spaces))
	for _, s := range spaces {
		names = append(names, s.Space)
	}
	return names, none
}
