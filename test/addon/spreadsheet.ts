// Opens spreadsheets with the built add-on in the strict host, connected to the instance or a fake gateway.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { Host } from '../../addon/dev/host/host.ts';
import { startNodeExecution } from '../../addon/dev/host/node/start.ts';
import type {
  Argument,
  FormulaResult,
  HostOptions,
  HostRequest,
  HostResponse,
  UiAnswer,
  UiRequest,
} from '../../addon/dev/host/types.ts';
import type { Method, Payload, Reply } from '../../addon/server/api/index.ts';
import type { MethodResult } from '../../addon/server/index.ts';
import { connectionProperty } from '../../shared/connection.ts';
import { addonDist } from '../../worker/commands/paths.ts';

/** A spreadsheet in the strict host. */
export interface Spreadsheet {
  host: Host;
  /** Requests through UrlFetchApp. */
  requests: HostRequest[];
  /** Shown dialogs and notices, in order. */
  shown: UiRequest[];
  listMessages: () => string[];
  /** Evaluates a formula in A1 of the first sheet. */
  evaluate: (name: string, ...args: Argument[]) => Promise<FormulaResult>;
}

/** Fetches from the real network. */
export async function realFetch(request: HostRequest): Promise<HostResponse> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: { ...request.headers },
    body: request.body === null ? null : new Uint8Array(request.body),
    redirect: request.followRedirects ? 'follow' : 'manual',
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Creates a JSON response. */
export function createResponse(status: number, body: unknown): HostResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(text) };
}

/**
 * Reads a built add-on.
 * @param dir - the build's output folder
 */
export async function readBuiltAddon(
  dir = addonDist,
): Promise<Pick<HostOptions, 'code' | 'files' | 'manifest'>> {
  const read = (name: string): Promise<string> => readFile(join(dir, name), 'utf8');
  return {
    code: await read('Code.js'),
    files: {
      ...(existsSync(join(dir, 'Later.html')) ? { Later: await read('Later.html') } : {}),
      Sidebar: await read('Sidebar.html'),
      SidebarTabs: await read('SidebarTabs.html'),
      German: await read('German.html'),
    },
    manifest: JSON.parse(await read('appsscript.json')),
  };
}

let builtAddon: ReturnType<typeof readBuiltAddon> | undefined;

/**
 * Opens a spreadsheet until the end of the test.
 * @param options - default: a spreadsheet connected to the instance
 * @param button - the button that is pressed in every dialog
 */
export async function openSpreadsheet(
  options: Partial<HostOptions> = {},
  button: UiAnswer['button'] = 'OK',
): Promise<Spreadsheet> {
  const { url, team_token: token } = inject('session');
  const sent: HostRequest[] = [];
  const shown: UiRequest[] = [];
  const reach = options.fetch ?? realFetch;
  builtAddon ??= readBuiltAddon();
  const host = new Host({
    ...(await builtAddon),
    startExecution: startNodeExecution,
    people: { owner: 'owner@team.example', viewer: 'viewer@team.example' },
    workbook: { id: 'workbook', name: 'Workbook', sheets: [{ id: 1, name: 'Sheet1', values: [] }] },
    properties: { document: { [connectionProperty]: JSON.stringify({ url, token }) } },
    onUi: (request) => {
      shown.push(request);
      return { button };
    },
    ...options,
    fetch: async (request, asker) => {
      sent.push(request);
      return reach(request, asker);
    },
  });
  onTestFinished(() => host.close());
  return {
    host,
    requests: sent,
    shown,
    listMessages: () =>
      shown.flatMap((request) =>
        'prompt' in request ? [request.prompt] : 'message' in request ? [request.message] : [],
      ),
    evaluate: (name, ...args) => host.evaluate(name, args, { sheet: 'Sheet1', row: 1, column: 1 }),
  };
}

/** Calls a method of the sidebar's server like its page. */
export async function callSidebar<M extends Method>(
  { host }: Pick<Spreadsheet, 'host'>,
  method: M,
  payload: Payload<M> | Record<string, never> = {},
): Promise<Reply<MethodResult<M>>> {
  return JSON.parse(String(await host.call('cdapiSidebar', [JSON.stringify({ method, payload })])));
}

/** Calls a method that must succeed. @throws Error with the failure */
export async function callSidebarOk<M extends Method>(
  ...call: Parameters<typeof callSidebar<M>>
): Promise<MethodResult<M>> {
  const reply = await callSidebar(...call);
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}
