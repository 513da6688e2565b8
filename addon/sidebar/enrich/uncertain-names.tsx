// Uncertain names: their candidates, the choice of one, and the decided names.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NameList, NameView, Payload } from '../../server/api/index.ts';
import { formatCount, formatNumber, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { RunAction } from '../dock.tsx';
import { addPrice } from '../format.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  useReloadAfterRuns,
  useScriptAction,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, ErrorNotice, Section, ShowMore } from '../parts/basics.tsx';
import { Link, RadioGroup } from '../parts/controls.tsx';

const MAX_COLLAPSED = 5;

/** The value of the choice that no candidate is the company. */
const NONE = '';
const UNDECIDED = '?';

type Candidate = NameView['candidates'][number];

const joinTexts = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join(' · ');

const formatCandidate = ({ id, name }: Candidate): string => name ?? t('ID {id}', { id });

/** `7,465 employees`, `51‑200 employees` in one line. Records have a number, a range or a text. */
function formatSize(size = ''): string {
  const text = size.replace('-', '\u2011');
  if (!/\d$|\+$/.test(text)) return text;
  return t('{employees} employees', { employees: /^\d+$/.test(text) ? Number(text) : text });
}

function toOption(candidate: Candidate): { value: string; label: string; hint: string } {
  const { id, city, country, website, size, confidence } = candidate;
  const host = website?.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return {
    value: id,
    label: formatCandidate(candidate),
    hint:
      joinTexts(
        t('{percent}% likely', { percent: Math.floor(confidence * 100) }),
        city,
        country,
        host,
        formatSize(size),
      ) || t('ID {id}', { id }),
  };
}

const getKey = ({ tableId, key }: Pick<NameView, 'tableId' | 'key'>): string => `${tableId} ${key}`;

export type NameChoices = Readonly<Record<string, string>>;

type NameOrder = Payload<'planChoices'>;

/** Builds the order of the decided names of one table; undefined if no name is decided. */
export function buildNameOrder(names: NameList | undefined, chosen: NameChoices): NameOrder | undefined {
  const decided = names?.undecided.filter((name) => getKey(name) in chosen) ?? [];
  const [first] = decided;
  return (
    first && {
      tableId: first.tableId,
      choices: decided.flatMap((name) =>
        name.tableId === first.tableId ? { key: name.key, companyId: chosen[getKey(name)] ?? NONE } : [],
      ),
    }
  );
}

export function DecideNames({ order }: { order: NameOrder }): JSX.Element {
  const { runs } = useSidebar();
  const plan = useScriptValue('planChoices', runs.isFree ? order : undefined);
  const what = t('Decide {names}', { names: formatCount(order.choices.length, 'name') });
  return (
    <RunAction
      plan={plan}
      button={addPrice(what, getCurrentValue(plan)?.credits ?? 0)}
      method="startChoices"
      build={(approval) => ({ ...order, approval })}
    />
  );
}

/** Loads the uncertain names, again after each change. */
export function useNames(): EditableAsyncValue<NameList> {
  const names = useScriptValue('uncertainNames', {});
  useReloadAfterRuns(names.reload);
  return names;
}

export function UncertainNames(props: {
  names: NameList | undefined;
  chosen: NameChoices;
  onChange: (chosen: NameChoices) => void;
}): JSX.Element | null {
  const { names: { undecided } = { undecided: [] }, chosen, onChange } = props;
  const [isLong, setIsLong] = useState(false);
  if (undecided.length === 0) return null;
  const visible = isLong ? undecided : undecided.slice(0, MAX_COLLAPSED);
  const chooseFirst = (): void =>
    onChange(Object.fromEntries(undecided.map((name) => [getKey(name), name.candidates[0]?.id ?? NONE])));
  return (
    <Section title={t('{names} to decide', { names: formatCount(undecided.length, 'name') })}>
      {undecided.length > 1 && <Link onClick={chooseFirst}>{t('Choose the first of each')}</Link>}
      {visible.map((view) => {
        const { name, country, city, candidates } = view;
        const { [getKey(view)]: companyId = UNDECIDED, ...others } = chosen;
        const company = candidates.find(({ id }) => id === companyId);
        return (
          <Disclosure
            key={getKey(view)}
            title={joinTexts(name, city, country)}
            aside={company ? formatCandidate(company) : formatCount(candidates.length, 'candidate')}
          >
            <RadioGroup
              label={t('Which company is it?')}
              value={companyId}
              options={[
                ...candidates.map(toOption),
                { value: NONE, label: t('None of these') },
                { value: UNDECIDED, label: t('Decide later') },
              ]}
              onChange={(id) => onChange(id === UNDECIDED ? others : { ...others, [getKey(view)]: id })}
            />
          </Disclosure>
        );
      })}
      <ShowMore left={undecided.length - visible.length} onClick={() => setIsLong(true)} />
    </Section>
  );
}

export function DecidedNames({ names }: { names: EditableAsyncValue<NameList> }): JSX.Element | null {
  const reset = useScriptAction();
  const { decided } = names.value ?? { decided: [] };
  if (decided.length === 0) return null;
  return (
    <Disclosure title={t('Decided names')} aside={formatNumber(decided.length)}>
      {decided.map((view) => {
        const { tableId, key, name, candidates, companyId } = view;
        const company = candidates.find(({ id }) => id === companyId);
        return (
          <div class="between" key={getKey(view)}>
            <span>
              {name}: {company === undefined ? t('none of the candidates') : formatCandidate(company)}
            </span>
            <Link
              label={t('Reset the decision about {name}', { name })}
              onClick={() => void reset.run('resetChoice', { tableId, key }, names.put)}
            >
              {t('Reset')}
            </Link>
          </div>
        );
      })}
      <ErrorNotice error={reset.error} />
    </Disclosure>
  );
}
