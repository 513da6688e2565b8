// Saves the workbook in the browser after each change, so that a reload continues with it.
import { CommandType, ICommandService } from '@univerjs/core';
import { SetFormulaCalculationResultMutation } from '@univerjs/preset-sheets-core';
import type { CachedResult } from '../formulas/custom-functions.ts';
import type { Grid } from '../grid/grid.ts';
import { describeWorkbook, type HostState, selectProperties } from './restore.ts';
import type { WorkbookStore } from './workbook-store.ts';

/** Collects quick changes, such as those of a script. */
const DELAY_MS = 400;

const SAVING = 'Saving…';
const SAVED = 'Saved in this browser';
const NOT_SAVED = 'Not saved: the browser’s storage is full or blocked. Reloading this page starts over.';

export interface AutosaveOptions {
  store: WorkbookStore;
  /** Identifies the records that the formulas' results come from. */
  records: string;
  /** false: an unchanged initial workbook is not saved, so that it follows the sandbox's records. */
  isRestored: boolean;
  host: HostState;
  readResults(): readonly CachedResult[];
  showState(sentence: string, isFailure: boolean): void;
}

export class Autosave {
  readonly #grid: Grid;
  readonly #options: AutosaveOptions;
  #isChanged: boolean;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #properties: string;

  constructor(grid: Grid, options: AutosaveOptions) {
    this.#grid = grid;
    this.#options = options;
    this.#isChanged = options.isRestored;
    this.#properties = this.#serializeProperties();
    grid.injector.get(ICommandService).onCommandExecuted(({ id, type }, executed) => {
      if (id === SetFormulaCalculationResultMutation.id) this.#schedule();
      else if (type === CommandType.MUTATION && id.startsWith('sheet.') && executed?.fromFormula !== true) {
        this.#isChanged = true;
        this.#schedule();
      }
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' && this.#timer !== undefined) void this.#save();
    });
  }

  /** Saves if a script has changed properties, such as the list of tables. */
  checkProperties(): void {
    const properties = this.#serializeProperties();
    if (properties === this.#properties) return;
    this.#properties = properties;
    this.#isChanged = true;
    this.#schedule();
  }

  /** Saves at once, for a page that loads again. */
  save(): Promise<void> {
    this.#isChanged = true;
    return this.#save();
  }

  /** Deletes the stored workbook and saves no longer. */
  async discard(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#options.store.delete();
  }

  #serializeProperties(): string {
    return JSON.stringify(selectProperties(this.#options.host.properties));
  }

  #schedule(): void {
    if (!this.#isChanged || this.#isStopped) return;
    this.#options.showState(SAVING, false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), DELAY_MS);
  }

  async #save(): Promise<void> {
    const { store, records, host, readResults, showState } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const content = this.#grid.api.getActiveWorkbook()?.save();
    if (content === undefined) return;
    try {
      await store.write(describeWorkbook(content, host, readResults(), records));
      if (this.#timer === undefined) showState(SAVED, false);
    } catch {
      // An older workbook would not match what the gateway and the user have seen since.
      await store.delete().catch(() => undefined);
      showState(NOT_SAVED, true);
    }
  }
}
