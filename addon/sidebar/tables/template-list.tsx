// Gallery of templates: each builds a sheet with examples.
import type { JSX } from 'preact';
import type { TemplateView } from '../../server/api/index.ts';
import { t, translate } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { formatCredits } from '../format.ts';
import { useReloadAfterRuns, useReloadOnFocus, useScriptAction, useScriptValue } from '../hooks.ts';
import { ErrorNotice, Hint, Loading, Row } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';

/** `Running the examples costs 20 credits now, at most 30.`; the sheet has the same words. */
function describePrice({ credits, now }: TemplateView): string {
  if (now === 0) return t('Running the examples is free: your team has these records.');
  if (now === undefined)
    return t('Running the examples costs at most {credits}.', { credits: formatCredits(credits) });
  const price = formatCredits(now);
  return now < credits
    ? t('Running the examples costs {price} now, at most {credits}.', { price, credits })
    : t('Running the examples costs {price} now.', { price });
}

export function TemplateList(): JSX.Element {
  const { runs, shown } = useSidebar();
  const templates = useScriptValue('templates', {});
  // Runs and formulas may have bought the examples.
  useReloadAfterRuns(templates.reload);
  useReloadOnFocus(shown, templates.reload);
  const action = useScriptAction();
  const build = ({ id }: TemplateView): void =>
    void action.run('buildTemplate', { id }, ({ sheet, runId }) =>
      runs.report(
        t('“{sheet}” is built. Nothing was bought: the sheet shows the price and how to run it.', { sheet }),
        runId,
      ),
    );
  return (
    <>
      <Hint>{t('Building a sheet is free. Its examples are websites of the open sheet, if any.')}</Hint>
      <Loading of={templates} label={t('Loading templates')} lines={5} />
      <ErrorNotice error={action.error} />
      {templates.value?.map((template) => (
        <article key={template.id} class="table" aria-label={translate(template.title)}>
          <h3>{translate(template.title)}</h3>
          <Hint>
            {translate(template.summary)}
            <br />
            {describePrice(template)}
          </Hint>
          <Row>
            <Button
              label={t('Build sheet: {title}', { title: translate(template.title) })}
              busy={action.busy}
              disabled={!runs.isFree}
              onClick={() => build(template)}
            >
              {t('Build sheet')}
            </Button>
          </Row>
        </article>
      ))}
    </>
  );
}
