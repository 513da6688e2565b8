// Has the Worker write into a spreadsheet that is closed, which has to be shared with it.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { StatusText } from './basics.tsx';
import { Button, Checkbox } from './controls.tsx';

/** The switch; where it is on, the address to share with. Nothing where there is no such address. */
export function PushSwitch(props: {
  account: string | null;
  on: boolean;
  onChange: (on: boolean) => void;
}): JSX.Element | null {
  const { account, on, onChange } = props;
  const id = useId();
  const address = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('Copy the address, then choose Share in Google Sheets.');
  if (account === null) return null;
  const copy = (): void => {
    address.current?.select();
    // Frames of another origin are seldom given the clipboard; this needs no leave.
    setSaid(
      document.execCommand('copy')
        ? 'Address copied.'
        : 'The address is selected. Copy it with your keyboard.',
    );
  };
  return (
    <>
      <Checkbox label="Update the sheet while it is closed" checked={on} onChange={onChange} />
      {on && (
        <div class="field">
          <label for={id}>Share the spreadsheet with this editor</label>
          <div class="add">
            <input id={id} ref={address} type="text" readOnly value={account} />
            <Button label="Copy address" onClick={copy}>
              Copy
            </Button>
          </div>
          <StatusText>{said}</StatusText>
        </div>
      )}
    </>
  );
}
