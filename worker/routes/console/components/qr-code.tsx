// QR codes, as one path of SVG.
import { encode } from 'uqr';

/** Dark modules get one unit each; light ones around them are needed to read the code. */
const BORDER = 2;

/** Renders a text as a QR code. @param label - says what it leads to, for screen readers */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  );
};
