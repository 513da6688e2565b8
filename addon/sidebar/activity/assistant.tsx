// Connects an assistant: the gateway's address, and a code that works once.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AssistantCode } from '../../../shared/api/assistant-codes.ts';
import { useScriptAction } from '../hooks.ts';
import { Disclosure, ErrorNotice, Hint, Row } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';

export function Assistant(): JSX.Element {
  const action = useScriptAction();
  const [shown, setShown] = useState<AssistantCode>();
  return (
    <Disclosure title="Connect an assistant">
      <Hint>
        Claude, ChatGPT and others can look up records with your connection. They spend from your budget.
      </Hint>
      {shown !== undefined && (
        <p class="breaks" role="status">
          Address: <code>{shown.url}</code>
          <br />
          Code for the page that it opens: <code>{shown.code}</code>
          <br />
          <small>It works once, within ten minutes.</small>
        </p>
      )}
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          busy={action.busy}
          onClick={() => void action.run('assistantCode', {}).then((code) => code && setShown(code))}
        >
          Create a code
        </Button>
      </Row>
    </Disclosure>
  );
}
