// Legal forms of companies, as they stand in names. Each line has the spellings of one form.

/**
 * Format of a line: the form, then its other spellings, separated by `|`. Spellings are normalised: small letters without
 * accents and full stops, words separated by blanks.
 */
const TABLE = `inc|incorporated
corp|corporation
co|company|and co|and company
ltd|limited|co ltd|company limited|pte ltd|private limited|pvt ltd|pty ltd|pty limited|proprietary limited|sdn bhd|co pvt ltd
llc|l l c|limited liability company
llp|limited liability partnership
lp|limited partnership
pllc
pbc|public benefit corporation
plc|public limited company
cic|community interest company
dac|designated activity company
ulc|unlimited company
gmbh|gesellschaft mit beschrankter haftung|ggmbh|mbh
gmbh and co kg|gmbh co kg|gmbh and co kgaa|ag and co kg
ag|aktiengesellschaft
kg|kommanditgesellschaft
kgaa
ohg
gbr
ug|ug haftungsbeschrankt|unternehmergesellschaft
ev|eingetragener verein
eg|eingetragene genossenschaft
ek
se|societas europaea
sa|societe anonyme|sociedad anonima|sociedade anonima
sas|sasu|societe par actions simplifiee
sarl|eurl|societe a responsabilite limitee
sca
scop
snc
srl|srls|societa a responsabilita limitata
spa|societa per azioni
sapa
sl|slu|slne|sociedad limitada
sau
sa de cv|sab de cv|s de rl de cv|sapi de cv
ltda|limitada
eireli
bv|besloten vennootschap
nv|naamloze vennootschap
vof
cv
bvba|sprl
ab|aktiebolag
hb
as|aksjeselskap|aktieselskab
asa
aps|anpartsselskab
oy|oyj|osakeyhtio
ehf
hf
ou|osauhing
uab
sia
sp z oo|sp zoo|spolka z oo
sro|spol s ro
doo|d o o
dd
ad
ood|eood
kft|korlatolt felelossegu tarsasag
zrt|nyrt|bt
ooo|oao|zao|pao
tov
ae|epe|ike
as sirketi|anonim sirketi|ltd sti|limited sirketi
kk|kabushiki kaisha
gk|godo kaisha
yk
pt|tbk
jsc|ojsc|pjsc|joint stock company
fze|fzco|fz llc
wll
psc
holdings|holding`;

/** Forms that scripts without blanks put before or after a name, in brackets or without. */
const attachedForms = [
  '股份有限公司',
  '有限责任公司',
  '有限責任公司',
  '有限公司',
  '株式会社',
  '有限会社',
  '合同会社',
  '주식회사',
  '유한회사',
];

/** Forms that some countries put before the name: `OOO Yandex`, `PT Telkom`, `UAB Baltic`. */
const leadingForms: ReadonlySet<string> = new Set([
  'ooo',
  'oao',
  'zao',
  'pao',
  'pt',
  'uab',
  'sia',
  'tov',
  'kk',
]);

const formBySpelling: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  TABLE.split('\n').flatMap((line) => {
    const spellings = line.split('|');
    const [form = ''] = spellings;
    return spellings.map((spelling): [string, string] => [spelling, form]);
  }),
);

/** Words of the longest spelling. */
const MAX_WORDS = 5;

const attachedPattern = /* @__PURE__ */ new RegExp(
  `[(（]?(?:${attachedForms.join('|')}|㈱|\\(주\\))[)）]?`,
  'gu',
);

/** Removes legal forms that are attached to the name without blanks, unless nothing else remains. */
export function removeAttachedForms(name: string): string {
  const rest = name.replace(attachedPattern, ' ').trim();
  return rest === '' ? name : rest;
}

function findTrailingForm(words: readonly string[]): { form: string; length: number } | undefined {
  for (let length = Math.min(MAX_WORDS, words.length - 1); length > 0; length -= 1) {
    const form = formBySpelling.get(words.slice(-length).join(' '));
    if (form !== undefined) return { form, length };
  }
  return undefined;
}

/**
 * Finds the part of a name without its legal forms. At least one word remains.
 * @param words - normalised
 * @returns positions of the first word and after the last word of the rest, and the last form that was removed first
 */
export function findCore(words: readonly string[]): { start: number; end: number; form?: string } {
  let end = words.length;
  let form: string | undefined;
  for (
    let found = findTrailingForm(words);
    found !== undefined;
    found = findTrailingForm(words.slice(0, end))
  ) {
    form ??= found.form;
    end -= found.length;
  }
  const [first = ''] = words;
  const start = end > 1 && leadingForms.has(first) ? 1 : 0;
  if (start === 1) form ??= formBySpelling.get(first);
  return { start, end, ...(form === undefined ? {} : { form }) };
}
