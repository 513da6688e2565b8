// English verb forms for what people do: duties are kept in the imperative, and said in other forms where needed.

const PAST: ReadonlyMap<string, string> = new Map(
  (
    'be was; bring brought; build built; buy bought; choose chose; come came; deal dealt; draw drew; drive drove; ' +
    'find found; get got; give gave; go went; guide guided; hold held; keep kept; lead led; make made; put put; ' +
    'run ran; say said; see saw; sell sold; send sent; set set; show showed; speak spoke; take took; teach taught; ' +
    'win won; write wrote; rebook rebooked; plan planned; log logged; map mapped; chat chatted'
  )
    .split('; ')
    .map((pair) => {
      const [plain = '', past = ''] = pair.split(' ');
      return [plain, past] as const;
    }),
);
const DOUBLING = /^(?:get|log|map|plan|put|run|set|win|chat)$/;

function pastOf(verb: string): string {
  const known = PAST.get(verb);
  if (known !== undefined) return known;
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

function ingOf(verb: string): string {
  if (verb === 'be') return 'being';
  if (DOUBLING.test(verb)) return `${verb}${verb.slice(-1)}ing`;
  return /[^eo]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`;
}

/** The forms in which a duty can be said. */
export type DutyForm = 'plain' | 'past' | 'ing';

/**
 * Says a duty in another form.
 *
 * @param duty a phrase that begins with a verb in the imperative; further verbs have a `*` in front
 * @param form `Plan tours`, `Planned tours` or `Planning tours`
 * @returns the phrase, with a capital, without marks
 */
export function dutyIn(duty: string, form: DutyForm): string {
  if (form === 'plain') return duty.replace(/\*/g, '');
  const turn = form === 'past' ? pastOf : ingOf;
  return duty
    .replace(/\*(\w+)/g, (_, verb: string) => turn(verb))
    .replace(/^\w+/, (verb) => {
      const turned = turn(verb.toLowerCase());
      return turned.charAt(0).toUpperCase() + turned.slice(1);
    });
}
