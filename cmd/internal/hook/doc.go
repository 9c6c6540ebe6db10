// Package hook answers the hooks of coding agents: it records what was said and done,
// and gives the agent what memory knows, without the agent having to ask. It never
// stands in an agent's way: whatever fails is written to a log and nothing else.
package hook
