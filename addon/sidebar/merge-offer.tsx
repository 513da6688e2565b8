// Offers to merge many formulas of single cells into formulas of ranges.
import type { JSX } from 'preact';
import { PricedAction } from './dock.tsx';
import { formatCount, formatCredits } from './format.ts';
import { useReloadWhenShown, useScriptAction, useScriptValue } from './hooks.ts';
import { ErrorNotice, Notice, Row } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';
import type { Runs } from './runs.ts';

/**
 * Looks for such formulas when the sidebar opens, and whenever the activity tab is shown.
 * @param props.shown - whether the activity tab is shown
 */
export function MergeOffer({ runs, shown }: { runs: Runs; shown: boolean }): JSX.Element | null {
  const plan = useScriptValue('planMerge', {});
  const action = useScriptAction();
  useReloadWhenShown(shown, undefined, plan.reload);
  const offer = plan.value?.offer;
  // A failure costs nothing: formulas work as before.
  if (!offer || plan.error !== undefined) return null;
  const { sheetId, formulas, ranges, columns, example, credits, approval } = offer;
  const cells = formatCount(formulas, 'formula');
  const merge = async (): Promise<void> => {
    const merged = await action.run('mergeFormulas', { sheetId, approval });
    plan.reload();
    if (merged === undefined) return;
    const sentence = `${formatCount(merged.formulas, 'formula')} became ${merged.ranges}. The cells keep their values.`;
    runs.showSuccess({ sentence, undo: merged.runId });
  };
  const dismiss = async (): Promise<void> => {
    if ((await action.run('dismissMerge', { sheetId })) !== undefined) plan.put({ offer: null });
  };
  return (
    <section class="unfinished" aria-label="Formulas to merge">
      <Notice>
        <p>
          {columns.length === 1 ? 'Column' : 'Columns'} {columns.join(', ')}: {cells} look up one cell each.
          Google runs only 30 at a time, so they load slowly.{' '}
          {ranges === 1
            ? 'One formula for the whole range fills the same cells in one call:'
            : `${formatCount(ranges, 'formula')} for whole ranges fill the same cells in as many calls:`}
        </p>
        <p>
          <code>{example}</code>
        </p>
        <PricedAction
          pricing={plan}
          price={
            credits === 0
              ? 'Free: your team already bought these records'
              : `Costs ${formatCredits(credits)} for missing or outdated records`
          }
          button={`Merge ${cells}`}
          credits={credits}
          ready={!plan.busy && runs.isFree}
          busy={action.busy}
          onClick={() => void merge()}
        />
        <Row>
          <Button kind="quiet" busy={action.busy} onClick={() => void dismiss()}>
            Don’t merge
          </Button>
        </Row>
        <ErrorNotice error={action.error} />
      </Notice>
    </section>
  );
}
