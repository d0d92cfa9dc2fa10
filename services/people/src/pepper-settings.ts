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

/** Settings for the storage of API keys' secrets. */
export const pepperSettings = {
  /** HMAC key of newly stored secrets: 32 bytes in base64. */
  KEY_PEPPER: secret32,
  /** Its version; each key stores the version of its own pepper. */
  KEY_PEPPER_VERSION: z.coerce.number().int().min(1).max(999_999).default(1),
  /** Peppers of other versions that still verify keys: `<version>:<32 bytes in base64>`, comma-separated. */
  KEY_PEPPERS: otherPeppers.default(new Map()),
};

interface PepperSettings {
  KEY_PEPPER: Buffer;
  KEY_PEPPER_VERSION: number;
  KEY_PEPPERS: ReadonlyMap<number, Buffer>;
}

/** Whether each version has one pepper; otherwise keys would be stored under one and verified under another. */
export function arePeppersClear({ KEY_PEPPER, KEY_PEPPER_VERSION, KEY_PEPPERS }: PepperSettings): boolean {
  return KEY_PEPPERS.get(KEY_PEPPER_VERSION)?.equals(KEY_PEPPER) ?? true;
}
