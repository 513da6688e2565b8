// Commands of the grid.
import { type ICommandInfo, ICommandService, type IExecutionOptions } from '@univerjs/core';
import type { GridCore } from './grid.ts';

interface Command {
  readonly id: string;
}

/**
 * Runs a command on a sheet. A mutation bypasses the user's undo history.
 * @param sheetId - Univer's id of the sheet
 */
export function runCommand(
  { injector, workbook }: GridCore,
  { id }: Command,
  sheetId: string,
  params = {},
): void {
  const target = { unitId: workbook.getUnitId(), subUnitId: sheetId };
  injector.get(ICommandService).syncExecuteCommand(id, { ...target, ...params });
}

/** Calls a function after each of these commands. */
export function onCommands(
  { injector }: Pick<GridCore, 'injector'>,
  commands: readonly Command[],
  run: (params: ICommandInfo['params'], options?: IExecutionOptions) => void,
): void {
  injector.get(ICommandService).onCommandExecuted(({ id, params }, options) => {
    if (commands.some((command) => command.id === id)) run(params, options);
  });
}

/** Calls a function in the next frame after some of these commands. */
export function refreshAfter(
  grid: Pick<GridCore, 'injector'>,
  commands: readonly Command[],
  refresh: () => void,
): void {
  let frame = 0;
  onCommands(grid, commands, () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(refresh);
  });
}
