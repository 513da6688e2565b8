// What the platform fails at while an order is worked on: each failure is logged with its reason code, and work goes on.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ingestFile } from '../../../worker/data-requests/ingest/index.ts';
import { waitForWake } from '../../../worker/data-requests/workflow.ts';
import { startWorkflow, wakeWorkflow } from '../../../worker/data-requests/workflow-instances.ts';
import { captureErrorLog } from '../logged-errors.ts';

const row = { id: 'order', run: 0, phase: 'reserved' } as const;
const broken = () => Promise.reject(new Error('jane-doe is out of reach'));

/** A Workflow binding that does what the test says, and else what the platform does with an instance that waits. */
function workflows(change: Partial<Workflow> & { sendEvent?: () => Promise<void>; isThere?: boolean }) {
  const created: string[] = [];
  const instance = {
    status: async () => ({ status: 'waiting' }),
    sendEvent: change.sendEvent ?? (async () => {}),
  };
  const REQUESTS = {
    create: async ({ id }: { id: string }) => void created.push(id),
    get: async () => {
      if (change.isThere === false) throw new Error('(instance.not_found) Provided id does not exist');
      return instance;
    },
    ...change,
  };
  return { created, bindings: Object.assign(Object.create(env), { REQUESTS }) };
}

describe('waiting for the provider’s word', () => {
  const waitWith = async (error: Error) => {
    const lines = captureErrorLog();
    await waitForWake({ waitForEvent: () => Promise.reject(error) }, 0, 'order', 5_000);
    return lines;
  };

  it('that fails is logged, and does not end the work', async () => {
    const lines = await waitWith(new Error('jane-doe'));
    expect(lines).toMatchObject([{ event: 'workflow_wait_failed', data_request: 'order', error: 'Error' }]);
    expect(JSON.stringify(lines)).not.toContain('jane-doe');
  });

  it('whose time is over has not failed', async () => {
    const timeout = Object.assign(new Error('Execution timed out after 5000ms'), {
      name: 'WorkflowTimeoutError',
    });
    expect(await waitWith(timeout)).toEqual([]);
  });
});

describe('a Workflow', () => {
  it('that cannot be made is logged, and tried again', async () => {
    const lines = captureErrorLog();
    const { bindings } = workflows({ create: broken, isThere: false });
    await startWorkflow(bindings, row);
    expect(lines.map(({ event }) => event)).toEqual(['workflow_create_failed', 'workflow_wake_failed']);
    expect(JSON.stringify(lines)).not.toContain('jane-doe');
  });

  it('that was made by the same idempotency key before is no failure', async () => {
    const lines = captureErrorLog();
    await startWorkflow(workflows({ create: broken }).bindings, row);
    expect(lines).toEqual([]);
  });

  it('that cannot be found or takes no event is logged, and made', async () => {
    const lines = captureErrorLog();
    const unreachable = workflows({ get: broken });
    await wakeWorkflow(unreachable.bindings, row);
    const deaf = workflows({ sendEvent: broken });
    await wakeWorkflow(deaf.bindings, row);
    expect(lines.map(({ event }) => event)).toEqual(['workflow_unreachable', 'workflow_event_failed']);
    expect([unreachable.created, deaf.created]).toEqual([['order-0'], ['order-0']]);
  });

  it('that is not there is no failure', async () => {
    const lines = captureErrorLog();
    const { bindings, created } = workflows({ isThere: false });
    await wakeWorkflow(bindings, row);
    expect([created, lines]).toEqual([['order-0'], []]);
  });
});

it('a result file that breaks off is logged', async () => {
  const lines = captureErrorLog();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('jane-doe')),
  });
  const file = { requestId: 'order', family: 'company_clean', fileIndex: 3, fileName: 'part', body } as const;
  await ingestFile({ db: env.DB, bucket: env.ROWS }, file);
  expect(lines).toMatchObject([
    { event: 'data_request_file_truncated', data_request: 'order', file: 3, truncation: 'incomplete' },
  ]);
});
