package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// alias is one of the original's switches and what it stands for.
type alias struct {
	key   string
	types []string // of the stages it is about
	set   func(v any) (key, value string)
}

func enabled(v any) (string, string) { return "enabled", fmt.Sprint(v) }

func number(key string) func(any) (string, string) {
	return func(v any) (string, string) { return key, fmt.Sprint(v) }
}

// aliasTable lists the switches, in the order of the documentation.
func aliasTable() []alias {
	return []alias{
		{"enable_novelty_gate", []string{"novelty"}, enabled},
		{"enable_similarity_weighting", []string{"noise_floor"}, enabled},
		{"enable_base_level", []string{"base_level"}, enabled},
		{"enable_hawkes", []string{"hawkes"}, enabled},
		{"enable_ebbinghaus", []string{"ebbinghaus"}, enabled},
		{"enable_spreading_activation", []string{"spreading"}, enabled},
		{"enable_defeasible_logic", []string{"gate"}, func(v any) (string, string) { return "conditions", fmt.Sprint(v) }},
		{"enable_sutra_packing", []string{"pack"}, func(v any) (string, string) {
			if v == true {
				return "format", `"sutra"`
			}
			return "format", `"classic"`
		}},
		{"budget_tokens", []string{"pack"}, number("budget_tokens")},
		{"search_k", []string{"bm25", "vector"}, number("k")},
		{"rrf_k", []string{"rrf"}, number("k")},
	}
}

// Aliases are the original's switches, as the [orma] table takes them.
type Aliases struct {
	EnableSemantic            bool `toml:"enable_semantic"              doc:"false: passages only; no states or events in recall, no sleep"`
	EnableNoveltyGate         bool `toml:"enable_novelty_gate"          doc:"stages of type novelty"`
	EnableSimilarityWeighting bool `toml:"enable_similarity_weighting"  doc:"stages of type noise_floor"`
	EnableBaseLevel           bool `toml:"enable_base_level"            doc:"stages of type base_level"`
	EnableHawkes              bool `toml:"enable_hawkes"                doc:"stages of type hawkes"`
	EnableEbbinghaus          bool `toml:"enable_ebbinghaus"            doc:"stages of type ebbinghaus"`
	EnableSpreadingActivation bool `toml:"enable_spreading_activation"  doc:"stages of type spreading"`
	EnableDefeasibleLogic     bool `toml:"enable_defeasible_logic"      doc:"the condition branch of sleep's gate"`
	EnableSutraPacking        bool `toml:"enable_sutra_packing"         doc:"pack's format: sutra, or classic"`
	BudgetTokens              int  `toml:"budget_tokens"                doc:"pack's budget_tokens"`
	SearchK                   int  `toml:"search_k"                     doc:"k of bm25 and vector"`
	RRFK                      int  `toml:"rrf_k"                        doc:"k of rrf"`
}

// aliases turns each key of an [orma] table into tables of the stages it stands for.
// They count as written before the same file's own stage tables.
func (ld *loader) aliases(kinds []kind) {
	byType := map[string][]string{}
	for _, k := range kinds {
		for _, name := range ld.lists[k.pipeline].stages {
			use, _ := ld.use(name)
			byType[use] = append(byType[use], name)
		}
	}
	for _, l := range ld.src.layers {
		p, ok := l.top["orma"]
		if !ok {
			continue
		}
		t, ok := ld.open(l, toml.Key{"orma"}, p)
		if !ok {
			continue
		}
		a := Aliases{EnableSemantic: ld.semantic}
		ld.decode(t, &a)
		ld.semantic = a.EnableSemantic
		for _, al := range aliasTable() {
			if _, ok := t.keys[al.key]; !ok {
				continue
			}
			field, _ := fieldOf(al.key, &a)
			key, value := al.set(field.Interface())
			ld.expand(t, al, byType, key, value)
		}
	}
}

// expand adds the tables that one switch stands for.
func (ld *loader) expand(t table, al alias, byType map[string][]string, key, value string) {
	at := t.place(al.key)
	found := false
	for _, typ := range al.types {
		for _, name := range byType[typ] {
			found = true
			l := &layer{origin: t.layer.origin, name: at.file, order: at.layer, line: at.line}
			ld.parse(l, "stage."+bareKey(name)+"."+key+" = "+value)
			ld.section(l, "stage", func(_ string, made table) {
				tables := ld.tables[name]
				i := slices.IndexFunc(tables, func(other table) bool { return other.layer.order >= l.order })
				if i < 0 {
					i = len(tables)
				}
				ld.tables[name] = slices.Insert(slices.Clone(tables), i, made)
			})
		}
	}
	if !found {
		ld.warn = append(ld.warn, fmt.Sprintf("%s:%d: [orma] %s has no effect: no pipeline has a stage of type %s", at.file, at.line, al.key, strings.Join(al.types, " or ")))
	}
}
