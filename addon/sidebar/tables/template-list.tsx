// Gallery of templates: each builds a sheet with examples.
import type { JSX } from 'preact';
import type { TemplateView } from '../../server/api/index.ts';
import { formatCredits } from '../format.ts';
import { useScriptAction, useScriptValue } from '../hooks.ts';
import { ErrorNotice, Hint, Loading, Row } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';
import type { Runs } from '../runs.ts';

/** The templates, with the price of their examples. */
export function TemplateList({ runs }: { runs: Runs }): JSX.Element {
  const templates = useScriptValue('templates', {});
  const action = useScriptAction();
  const build = async ({ id }: TemplateView): Promise<void> => {
    const built = await action.run('buildTemplate', { id });
    if (built === undefined) return;
    runs.showSuccess({
      sentence: `“${built.sheet}” is built. Nothing was bought: the sheet shows the price and how to run it.`,
      undo: built.runId,
    });
  };
  return (
    <>
      <Hint>Building a sheet is free. It shows the price before it buys anything.</Hint>
      <Loading of={templates} label="Loading templates" lines={5} />
      <ErrorNotice error={action.error} />
      {templates.value?.map((template) => (
        <article key={template.id} class="table" aria-label={template.title}>
          <h3>{template.title}</h3>
          <Hint>
            {template.summary}
            <br />
            Running the examples costs up to {formatCredits(template.credits)}.
          </Hint>
          <Row>
            <Button
              label={`Build sheet: ${template.title}`}
              busy={action.busy}
              disabled={!runs.isFree}
              onClick={() => void build(template)}
            >
              Build sheet
            </Button>
          </Row>
        </article>
      ))}
    </>
  );
}
