package filter

import "strings"

// negated stands for every negation, so that "don't" and "do not" are one.
var negated = hashWord("\x00not")

// The words that decide whether two texts can be the same, in the languages whose
// words have capitals; in other scripts every word must be equal.
var (
	negations = wordSet(`
		not no never none nothing nobody neither nor cannot without non dont doesnt isnt
		nicht kein keine keinen keinem keiner nie niemals nichts ohne
		ne pas jamais rien aucun aucune sans
		no nunca jamás nada ningún ninguna ninguno sin
		não nem nunca nenhum nenhuma sem
		non mai niente nessuno nessuna senza
		niet geen nooit inte aldrig ingen ikke aldri nie bez
		не нет нет ни никогда без
		nahi nahin nahiin mat kabhi
		hayır değil yok tidak bukan jangan`)

	numbers = wordSet(`
		zero one two three four five six seven eight nine ten eleven twelve thirteen
		fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty
		sixty seventy eighty ninety hundred thousand million billion once twice half
		first second third fourth fifth sixth seventh eighth ninth tenth last next
		null eins ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend
		deux trois quatre cinq sept huit neuf dix onze douze cent mille
		uno dos tres cuatro cinco seis siete ocho nueve diez once doce cien mil
		um dois três quatro sete oito nove dez onze doze cem
		due tre quattro cinque sei sette otto dieci undici dodici cento
		один два три четыре пять шесть семь восемь девять десять сто тысяча
		ek teen chaar char paanch panch chhah saat aath nau das sau hazaar`)

	trivial = wordSet(`
		a an the i me my we our us am is are was were be been im i'm it's that's
		this that these those it its of to and so just really also very quite too
		do does did have has had will would there here now then well oh yes yeah
		der die das und ich mein sehr auch le la les et je mon très aussi
		el los las y yo mi muy también o os as e eu meu muito também il lo gli io mio molto anche`)
)

func wordSet(list string) map[uint64]bool {
	set := map[uint64]bool{}
	for w := range strings.FieldsSeq(list) {
		set[hashWord(w)] = true
	}
	return set
}
