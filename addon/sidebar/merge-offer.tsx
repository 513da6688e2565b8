// Offers to merge formulas of single cells into formulas of ranges.
import type { ComponentChildren, JSX } from 'preact';
import type { MergeOffer, MergePlan } from '../server/api/index.ts';
import { formatCount, t } from '../texts/texts.ts';
import { useSidebar } from './context.ts';
import { PricedAction } from './dock.tsx';
import { formatCredits } from './format.ts';
import {
  type EditableAsyncValue,
  type ScriptAction,
  useReloadWhenShown,
  useScriptAction,
  useScriptValue,
} from './hooks.ts';
import { ErrorNotice, Notice, Row } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';

/**
 * An offer with its price.
 * @param props.reason - why to merge
 * @param props.children - another choice
 */
export function MergeView(props: {
  offer: MergeOffer;
  plan: EditableAsyncValue<MergePlan>;
  action: ScriptAction;
  reason?: string;
  onDone?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const { plan, action, reason = '' } = props;
  const { runs } = useSidebar();
  const { sheetId, formulas, ranges, columns, example, credits, approval } = props.offer;
  const cells = formatCount(formulas, 'formula');
  const merge = async (): Promise<void> => {
    const merged = await action.run('mergeFormulas', { sheetId, approval });
    plan.reload();
    if (merged === undefined) return;
    const sentence = t('{formulas} became {ranges}. The cells keep their values.', {
      formulas: formatCount(merged.formulas, 'formula'),
      ranges: merged.ranges,
    });
    runs.report(sentence, merged.runId);
    props.onDone?.();
  };
  return (
    <Notice>
      <p>
        {t(
          columns.length === 1
            ? 'Column {columns}: {cells} look up one cell each.'
            : 'Columns {columns}: {cells} look up one cell each.',
          { columns: columns.join(', '), cells },
        )}{' '}
        {reason}{' '}
        {t(
          ranges === 1
            ? 'One formula for the whole range fills the same cells in one call:'
            : '{formulas} for whole ranges fill the same cells in as many calls:',
          { formulas: formatCount(ranges, 'formula') },
        )}
      </p>
      <p>
        <code>{example}</code>
      </p>
      <PricedAction
        pricing={plan}
        price={
          credits === 0
            ? t('Free: your team already bought these records')
            : t('Costs {credits} for missing or outdated records', { credits: formatCredits(credits) })
        }
        button={t('Merge {cells}', { cells })}
        credits={credits}
        ready={!plan.busy && runs.isFree}
        busy={action.busy}
        onClick={() => void merge()}
      />
      {props.children}
      <ErrorNotice error={action.error} />
    </Notice>
  );
}

/** Looks for many such formulas when the sidebar opens, and whenever the activity tab is shown. */
export function SuggestedMerge(): JSX.Element | null {
  const { tab } = useSidebar();
  const plan = useScriptValue('planMerge', {});
  const action = useScriptAction();
  useReloadWhenShown(tab === 'activity', undefined, plan.reload);
  const offer = plan.value?.offer;
  // A failure costs nothing: formulas work as before.
  if (!offer || plan.error !== undefined) return null;
  const dismiss = (): void =>
    void action.run('dismissMerge', { sheetId: offer.sheetId }, () => plan.put({ offer: null }));
  return (
    <section class="unfinished" aria-label={t('Formulas to merge')}>
      <MergeView
        offer={offer}
        plan={plan}
        action={action}
        reason={t('Google runs only 30 at a time, so they load slowly.')}
      >
        <Row>
          <Button kind="quiet" busy={action.busy} onClick={dismiss}>
            {t('Don’t merge')}
          </Button>
        </Row>
      </MergeView>
    </section>
  );
}
