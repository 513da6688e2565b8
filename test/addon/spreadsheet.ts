// A spreadsheet in the strict host with the built add-on in it, connected to a running Worker or to a scripted one.
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
import { connectionProperty } from '../../shared/connection.ts';
import { addonDist } from '../../worker/commands/paths.ts';

/** A spreadsheet under test. */
export interface Spreadsheet {
  host: Host;
  /** The requests that left through UrlFetchApp. */
  sent: HostRequest[];
  /** What the person was shown, in order, and the words of its dialogs and notices. */
  shown: UiRequest[];
  said: () => string[];
  /** Evaluates a formula in A1 of the first sheet. */
  formula: (name: string, ...args: Argument[]) => Promise<FormulaResult>;
}

/** The network as it is. */
export async function network(request: HostRequest): Promise<HostResponse> {
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

/** An answer that a scripted Worker gives. */
export function answer(status: number, body: unknown): HostResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(text) };
}

/**
 * What a host is handed of a built add-on.
 * @param dir - where it was built
 */
export async function builtAddon(dir = addonDist): Promise<Pick<HostOptions, 'code' | 'files' | 'manifest'>> {
  const read = (name: string): Promise<string> => readFile(join(dir, name), 'utf8');
  return {
    code: await read('Code.js'),
    files: { Later: await read('Later.html'), Sidebar: await read('Sidebar.html') },
    manifest: JSON.parse(await read('appsscript.json')),
  };
}

/**
 * Opens a spreadsheet until the end of the test.
 * @param options - what differs from a connected spreadsheet on the real network
 * @param button - what the person presses in every dialog
 */
export async function openSpreadsheet(
  options: Partial<HostOptions> = {},
  button: UiAnswer['button'] = 'OK',
): Promise<Spreadsheet> {
  const { url, team_token: token } = inject('session');
  const sent: HostRequest[] = [];
  const shown: UiRequest[] = [];
  const reach = options.fetch ?? network;
  const host = new Host({
    ...(await builtAddon()),
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
    sent,
    shown,
    said: () =>
      shown.flatMap((request) =>
        'prompt' in request ? [request.prompt] : 'message' in request ? [request.message] : [],
      ),
    formula: (name, ...args) => host.evaluate(name, args, { sheet: 'Sheet1', row: 1, column: 1 }),
  };
}
