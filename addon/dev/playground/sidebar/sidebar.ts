// The sidebar beside the grid: the add-on's page in a frame that sees nothing of this one.
import type { FrameMessage, PageMessage } from './messages.ts';

/** Calls a public function of the script, as google.script.run does. */
export type CallScript = (name: string, args: readonly unknown[]) => Promise<unknown>;

/** A frame of another origin than any: it runs scripts and opens links, and reaches neither this page nor the instance. */
const SANDBOX = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox';

async function answer(
  call: CallScript,
  { id, name, args }: FrameMessage & { kind: 'call' },
): Promise<PageMessage> {
  try {
    return { id, ok: true, value: await call(name, args) };
  } catch (error) {
    const known = error instanceof Error ? error : new Error(String(error));
    return { id, ok: false, name: known.name, message: known.message };
  }
}

/**
 * Puts the sidebar into the page, with a button that shows and hides it.
 * @param panel - the place beside the grid
 * @param button - its `aria-expanded` says whether the sidebar is there
 * @returns shows it, loaded anew
 */
export function openSidebar(panel: HTMLElement, button: HTMLElement, call: CallScript): () => void {
  const show = (shown: boolean): void => {
    panel.hidden = !shown;
    button.setAttribute('aria-expanded', String(shown));
    // Each opening loads the page anew, as in Sheets.
    panel.replaceChildren(...(shown ? [frame()] : []));
  };
  const frame = (): HTMLIFrameElement => {
    const made = document.createElement('iframe');
    made.title = 'CDAPI';
    made.setAttribute('sandbox', SANDBOX);
    made.src = 'sidebar';
    made.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<FrameMessage>) => {
        if (data.kind === 'close') show(false);
        else void answer(call, data).then((reply) => port1.postMessage(reply));
      };
      // The frame has no origin that could be named.
      made.contentWindow?.postMessage('google.script', '*', [port2]);
    };
    return made;
  };
  button.hidden = false;
  button.addEventListener('click', () => show(panel.hidden === true));
  show(true);
  return () => show(true);
}
