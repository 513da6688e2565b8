// Uncertain names: their candidates, the choice of one, and the decided names.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NameList, NameView } from '../../server/api/index.ts';
import { PricedAction } from '../dock.tsx';
import { addPrice, formatCount, formatCredits, formatNumber } from '../format.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  useReloadWhenShown,
  useScriptAction,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, ErrorNotice, Section, ShowMore } from '../parts/basics.tsx';
import { Link, RadioGroup } from '../parts/controls.tsx';
import { getChangeKey, type Runs } from '../runs.ts';

const MAX_COLLAPSED = 5;

/** The value of the choice that no candidate is the company. */
const NONE = '';
const UNDECIDED = '?';

type Candidate = NameView['candidates'][number];

const joinTexts = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join(' · ');

const formatCandidate = ({ id, name }: Candidate): string => name ?? `ID ${id}`;

/** `7,465 employees`, `51‑200 employees` in one line. Records have a number, a range or a text. */
function formatSize(size: string | undefined): string | undefined {
  if (size === undefined || !/\d$|\+$/.test(size)) return size;
  return `${/^\d+$/.test(size) ? formatNumber(Number(size)) : size.replace('-', '\u2011')} employees`;
}

function toOption(candidate: Candidate): { value: string; label: string; hint: string } {
  const { id, city, country, website, size } = candidate;
  const host = website?.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return {
    value: id,
    label: formatCandidate(candidate),
    hint: joinTexts(city, country, host, formatSize(size)) || `ID ${id}`,
  };
}

function NameCard(props: { name: NameView; runs: Runs }): JSX.Element {
  const { name: view, runs } = props;
  const { tableId, key, name, country, city, candidates } = view;
  const [companyId, setCompanyId] = useState(UNDECIDED);
  const isDecided = companyId !== UNDECIDED;
  const order = isDecided ? { tableId, key, companyId } : undefined;
  const plan = useScriptValue('planChoice', runs.isFree ? order : undefined);
  const current = getCurrentValue(plan);
  return (
    <Disclosure title={joinTexts(name, city, country)} aside={formatCount(candidates.length, 'candidate')}>
      <RadioGroup
        label="Which company is it?"
        value={companyId}
        options={[...candidates.map(toOption), { value: NONE, label: 'None of these' }]}
        onChange={setCompanyId}
      />
      {order !== undefined && (
        <PricedAction
          pricing={plan}
          price={
            current &&
            `${formatCount(current.rows, 'row')} · ${current.credits === 0 ? 'free' : formatCredits(current.credits)}`
          }
          button={addPrice(
            companyId === NONE ? 'Remember that it’s none' : 'Use this company',
            current?.credits ?? 0,
          )}
          credits={current?.credits}
          ready={current !== undefined && current.rows > 0}
          busy={runs.busy}
          onClick={() => {
            if (current === undefined) return;
            const { approval, willOverwrite } = current;
            runs.start('startChoice', { ...order, approval }, willOverwrite);
          }}
        />
      )}
    </Disclosure>
  );
}

const getKey = ({ tableId, key }: NameView): string => `${tableId} ${key}`;

/** Loads the uncertain names, again after each change. */
export function useNames(runs: Runs, shown: boolean): EditableAsyncValue<NameList> {
  const names = useScriptValue('uncertainNames', {});
  // Undo changes the list, too.
  useReloadWhenShown(shown, getChangeKey(runs), names.reload);
  return names;
}

/** The names that a person must decide; null if there are none. */
export function UncertainNames(props: { runs: Runs; names: NameList | undefined }): JSX.Element | null {
  const { runs, names: { undecided } = { undecided: [] } } = props;
  const [isLong, setIsLong] = useState(false);
  if (undecided.length === 0) return null;
  const visible = isLong ? undecided : undecided.slice(0, MAX_COLLAPSED);
  return (
    <Section title={`${formatCount(undecided.length, 'name')} to decide`}>
      {visible.map((name) => (
        <NameCard key={getKey(name)} name={name} runs={runs} />
      ))}
      <ShowMore left={undecided.length - visible.length} onClick={() => setIsLong(true)} />
    </Section>
  );
}

/** The decided names; null if there are none. */
export function DecidedNames({ names }: { names: EditableAsyncValue<NameList> }): JSX.Element | null {
  const forget = useScriptAction();
  const { decided } = names.value ?? { decided: [] };
  if (decided.length === 0) return null;
  return (
    <Disclosure title="Decided names" aside={formatNumber(decided.length)}>
      {decided.map((view) => {
        const { tableId, key, name, candidates, companyId } = view;
        const company = candidates.find(({ id }) => id === companyId);
        return (
          <div class="between" key={getKey(view)}>
            <span>
              {name}: {company === undefined ? 'none of the candidates' : formatCandidate(company)}
            </span>
            <Link
              label={`Forget the decision about ${name}`}
              onClick={() =>
                void forget.run('forgetChoice', { tableId, key }).then((list) => list && names.put(list))
              }
            >
              Forget
            </Link>
          </div>
        );
      })}
      <ErrorNotice error={forget.error} />
    </Disclosure>
  );
}
