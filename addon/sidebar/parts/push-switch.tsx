// Switches pushes on, and shows the account to share the spreadsheet with.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/texts.ts';
import { StatusText } from './basics.tsx';
import { Button, Checkbox } from './controls.tsx';

export function PushSwitch(props: {
  account: string | null;
  on: boolean;
  onChange: (on: boolean) => void;
}): JSX.Element | null {
  const { account, on, onChange } = props;
  const id = useId();
  const address = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState(t('Copy the address, then choose Share in Google Sheets.'));
  if (account === null) return null;
  const copy = (): void => {
    address.current?.select();
    // Cross-origin frames usually lack the clipboard permission; execCommand needs none.
    setStatus(
      document.execCommand('copy')
        ? t('Address copied.')
        : t('The address is selected. Copy it with your keyboard.'),
    );
  };
  return (
    <>
      <Checkbox label={t('Update the sheet while it is closed')} checked={on} onChange={onChange} />
      {on && (
        <div class="field">
          <label for={id}>{t('Share the spreadsheet with this editor')}</label>
          <div class="add">
            <input id={id} ref={address} type="text" readOnly value={account} />
            <Button label={t('Copy address')} onClick={copy}>
              {t('Copy')}
            </Button>
          </div>
          <StatusText>{status}</StatusText>
        </div>
      )}
    </>
  );
}
