// Formulas of one function in a column: state, age, price and actions.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FormulaEntry } from '../../server/api/index.ts';
import { FAILURE_LABELS, PricedAction } from '../dock.tsx';
import { formatCount, formatCredits, formatNumber, formatTimeSince } from '../format.ts';
import { useScriptAction, useScriptValue } from '../hooks.ts';
import { ErrorNotice, Hint } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/controls.tsx';
import type { Runs } from '../runs.ts';

const ACTIONS = [
  { kind: 'rerun', label: 'Rerun', spoken: 'Rerun failed' },
  { kind: 'freeze', label: 'Freeze', spoken: 'Freeze' },
] as const;

function describeState({ formulas, loading, pending, errors }: FormulaEntry): string {
  const states = Object.entries({ loading, 'waiting for rows': pending, ...errors })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatNumber(count)} ${FAILURE_LABELS[word] ?? word}`);
  return [formatCount(formulas, 'formula'), ...states].join(' · ');
}

/** What is known about the data of lookups, and what another run of all would cost. */
function LookupHint({ lookup }: FormulaEntry): JSX.Element | null {
  if (lookup === undefined) return null;
  const { distinct, bought, credits, oldest } = lookup;
  return (
    <Hint>
      {formatNumber(bought)} of {formatCount(distinct, 'record')} bought
      {oldest !== undefined && ` · oldest ${formatTimeSince(oldest)}`}
      <br />
      Running all again {credits === 0 ? 'is free' : `costs ${formatCredits(credits)} now`}
    </Hint>
  );
}

interface PlaceProps {
  place: { sheetId: number; name: string; column: number };
  runs: Runs;
  onDone: () => void;
}

function formatRerunPrice(formulas: number, credits: number | null): string {
  if (formulas === 0) return 'None has failed any more.';
  return credits === null ? 'Price not known' : `Costs up to ${formatCredits(credits)}`;
}

function Rerun({ place, runs, onDone }: PlaceProps): JSX.Element {
  const plan = useScriptValue('planRerun', place);
  const action = useScriptAction();
  const { formulas = 0, credits = 0, approval } = plan.value ?? {};
  const rerun = async (): Promise<void> => {
    if (approval === undefined) return;
    const again = await action.run('rerunFormulas', { ...place, approval });
    plan.reload();
    if (again === undefined) return;
    runs.showSuccess({
      sentence: `${formatCount(again.formulas, 'formula')} run again. Activity shows what they cost.`,
    });
    onDone();
  };
  return (
    <div>
      <PricedAction
        pricing={plan}
        price={plan.value && formatRerunPrice(formulas, credits)}
        note={
          credits === null ? 'They buy what your team hasn’t bought, up to their max_credits.' : undefined
        }
        button={`Rerun ${formatCount(formulas, 'formula')}`}
        credits={credits ?? 0}
        ready={!plan.busy && formulas > 0 && runs.isFree}
        busy={action.busy}
        onClick={() => void rerun()}
      />
      <ErrorNotice error={action.error} />
    </div>
  );
}

function Freeze({ place, runs, onDone, entry }: PlaceProps & { entry: FormulaEntry }): JSX.Element {
  const action = useScriptAction();
  const freeze = async (): Promise<void> => {
    const done = await action.run('freezeFormulas', place);
    if (done === undefined) return;
    const { frozen, skipped, runId } = done;
    runs.showSuccess({
      sentence: `${formatCount(frozen, 'formula')} became ${frozen === 1 ? 'a value' : 'values'}${skipped > 0 ? `, ${formatNumber(skipped)} stayed: they are loading or failed` : ''}.`,
      ...(frozen > 0 ? { undo: runId } : {}),
    });
    onDone();
  };
  return (
    <>
      <Confirm
        question={`Turn ${formatCount(entry.formulas, 'formula')} into values? They no longer change or cost credits. Undo brings them back.`}
        yes="Freeze formulas"
        busy={action.busy}
        onYes={() => void freeze()}
        onNo={onDone}
      />
      <ErrorNotice error={action.error} />
    </>
  );
}

/** The card of these formulas. */
export function FormulaCard(props: {
  sheetId: number;
  entry: FormulaEntry;
  runs: Runs;
  onDone: () => void;
}): JSX.Element {
  const { sheetId, entry, runs } = props;
  const { name, column, range, failed } = entry;
  const place = { sheetId, name, column };
  const title = `${name} ${range}`;
  const action = useScriptAction();
  const [expanded, setExpanded] = useState('');
  const section = {
    place,
    runs,
    onDone: () => {
      setExpanded('');
      props.onDone();
    },
  };
  return (
    <article class="table" aria-label={title}>
      <h3 class="breaks">{title}</h3>
      <Hint>{describeState(entry)}</Hint>
      <LookupHint {...entry} />
      <div class="row wrap">
        <Button label={`Show ${title}`} onClick={() => void action.run('showFormulas', place)}>
          Show
        </Button>
        {ACTIONS.slice(failed > 0 ? 0 : 1).map(({ kind, label, spoken }) => (
          <Button
            key={kind}
            label={`${spoken} ${title}`}
            expanded={expanded === kind}
            onClick={() => setExpanded(expanded === kind ? '' : kind)}
          >
            {label}
          </Button>
        ))}
      </div>
      {expanded === 'rerun' && <Rerun {...section} />}
      {expanded === 'freeze' && <Freeze {...section} entry={entry} />}
      <ErrorNotice error={action.error} />
    </article>
  );
}
