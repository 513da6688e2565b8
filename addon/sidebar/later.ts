// Loads the sidebar's second script, so that the page opens with its first tab only.
import { useEffect, useState } from 'preact/hooks';
import { type AsyncValue, type ScriptError, useScriptValue } from './hooks.ts';
import type * as laterTabs from './later-tabs.tsx';

export type LaterTabs = typeof laterTabs;

declare global {
  interface Window {
    cdapiLater?: LaterTabs;
  }
}

const NOT_LOADED: ScriptError = {
  ok: false,
  message: 'The sidebar couldn’t load this tab. Close the sidebar and open it again.',
};

/** Runs the script. It comes from the same build as the page. @returns undefined if it failed or was blocked */
function run(script: string): LaterTabs | undefined {
  const element = document.createElement('script');
  element.textContent = script;
  document.head.append(element);
  return window.cdapiLater;
}

/** Loads the second script while the first tab is shown. */
export function useLaterTabs(): AsyncValue<LaterTabs> {
  const { value: script, error, busy, reload } = useScriptValue('laterTabs', {});
  const [value, setValue] = useState<LaterTabs>();
  const [failed, setFailed] = useState<ScriptError>();
  useEffect(() => {
    if (script === undefined) return;
    const tabs = run(script);
    setValue(tabs);
    setFailed(tabs === undefined ? NOT_LOADED : undefined);
  }, [script]);
  return { value, error: error ?? failed, busy, reload };
}
