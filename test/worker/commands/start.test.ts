// npm start: Ctrl-C at any stage leaves nothing behind.
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { listen } from '../../faults/listen.ts';
import { listProcessTree } from './command.ts';
import { listBuildFolders, patient, setUpStarts } from './start-harness.ts';

const { start, expectNoTrace } = setUpStarts();

describe('npm start', () => {
  it('says before it builds that a port is taken, and what to do', async () => {
    const { origin, close } = await listen(() => {});
    const port = Number(new URL(origin).port);
    const { exited, output } = start({ PORT: String(port) });
    expect(await exited).toBe(1);
    await close();
    expect(output()).toContain(`Port ${port} is taken.`);
    expect(output()).toContain(`PORT=${port + 1} npm start`);
    expect(output().trim()).not.toContain('\n');
  });

  it('stops on Ctrl-C during the build without another word and without a trace', async () => {
    const { child, exited, interrupt, output } = start({ PORT: String(await findFreePort(0)) });
    await expect.poll(output, patient).toContain('Building');
    const listBuilding = (): Promise<string[]> => listBuildFolders(listProcessTree(child.pid ?? 0));
    await expect.poll(listBuilding, patient).toHaveLength(1);
    const before = output();
    const processes = listProcessTree(child.pid ?? 0);
    interrupt();
    const code = await exited;
    expect({ code, output: output() }).toEqual({ code: 0, output: before });
    await expectNoTrace(processes);
  }, 240_000);
});
