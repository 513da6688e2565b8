// Writes small PNG files: pages of flat colours fit a palette. PNG specification (RFC 2083), colour type 3.
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
const INDEXED = 3;
/** 32 steps a channel: the edges of letters need no more. */
const STEPS = 0xf8f8f8;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * Encodes a picture with a palette; colours become a little darker, by 7 of 255 at most.
 * @param rgba - four bytes a pixel, row by row; opaque
 * @returns undefined where it has more than 256 colours
 */
export function indexedPng(width: number, height: number, rgba: Buffer): Buffer | undefined {
  const palette = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = (rgba.readUInt32BE(pixel * 4) >>> 8) & STEPS;
    const index = palette.get(colour) ?? palette.size;
    if (index >= MOST_COLOURS) return undefined;
    palette.set(colour, index);
    // Each row begins with its filter: none.
    rows[pixel + Math.floor(pixel / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = INDEXED;
  const colours = Buffer.from(
    [...palette.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
