package index

import (
	"testing"

	"github.com/orma-memory/orma/core"
)

func TestWhoseWords(t *testing.T) {
	for _, c := range []struct {
		query string
		want  float32
	}{
		{"Where do I keep the ladder?", aboutUser},
		{"what's my dentist called", aboutUser},
		{"When did we move house?", aboutUser},
		{"home city of the user", aboutUser},
		{"Can you recommend a hotel for my trip?", aboutUser},
		{"Could you suggest something I would like?", aboutUser},
		{"Which book did my sister suggest to me?", aboutUser},
		{"What was I told by the doctor?", aboutUser},
		{"Can you suggest a hotel?", aboutNobody},
		{"deploy command of staging", aboutNobody},
		{"", notRead},
		{"Delhi me kaunsa hotel bataya tha", notRead},
		{"Welches Hotel hast du mir empfohlen?", notRead},
		{"Was hast du mir in Rom empfohlen?", notRead},
		{"¿Qué hotel me recomendaste?", notRead},
		{"the list of US visa documents", aboutNobody},
		{"what did they send us", aboutUser},
		{"Which hotel did you suggest for my trip?", aboutAnswer},
		{"the restaurant you recommended to me", aboutAnswer},
		{"What was the third one that you had mentioned?", aboutAnswer},
		{"Remind me of the name of the sauce", aboutAnswer},
		{"In our previous conversation I asked about hotels, what was the cheapest?", aboutAnswer},
		{"Did you say how long I should bake it?", aboutAnswer},
		{"WHICH FLAG HAVE YOU GIVEN ME?", aboutAnswer},
	} {
		if got := whoseWords(c.query); got != c.want {
			t.Errorf("%q: got %v, want %v", c.query, got, c.want)
		}
	}
}

func TestAssistantOf(t *testing.T) {
	v := View{hush: 0.5}
	for role, want := range map[core.Role]float32{
		core.RoleUser: 0, core.RoleSystem: 0, core.RoleAssistant: 0.5, core.RoleTool: 0.5,
	} {
		if got := v.assistantOf(&item{role: roleCode(role)}); got != want {
			t.Errorf("%s: got %v, want %v", role, got, want)
		}
	}
}
