import { secret32 } from '@swim/platform';
import { z } from 'zod';

const OTHER_PEPPER = /^([1-9]\d{0,5}):(.+)$/;

/** `<version>:<32 bytes in base64>`, comma-separated. */
const otherPeppers = z.string().transform((text, context) => {
  const read = new Map<number, Buffer>();
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, version, secret = ''] = OTHER_PEPPER.exec(part.trim()) ?? [];
    const pepper = secret32.safeParse(secret);
    if (version === undefined || !pepper.success || read.has(Number(version)))
      context.addIssue({ code: 'custom', message: 'must be <version>:<32 bytes in base64>, each version once' });
    else read.set(Number(version), pepper.data);
  }
  return read;
});

/** Under what the secrets of API keys are stored. */
export const pepperSettings = {
  /** HMAC key under which they are stored today: 32 bytes in base64. */
  KEY_PEPPER: secret32,
  /** Which version of it that is; each key remembers the version it was stored under. */
  KEY_PEPPER_VERSION: z.coerce.number().int().min(1).max(999_999).default(1),
  /** Peppers of other versions, under which keys are known as well: `<version>:<32 bytes in base64>`, comma-separated. */
  KEY_PEPPERS: otherPeppers.default(new Map()),
};

interface PepperSettings {
  KEY_PEPPER: Buffer;
  KEY_PEPPER_VERSION: number;
  KEY_PEPPERS: ReadonlyMap<number, Buffer>;
}

/** Whether every version means one pepper; otherwise keys would be stored under one and looked for under another. */
export function arePeppersClear({ KEY_PEPPER, KEY_PEPPER_VERSION, KEY_PEPPERS }: PepperSettings): boolean {
  return KEY_PEPPERS.get(KEY_PEPPER_VERSION)?.equals(KEY_PEPPER) ?? true;
}
