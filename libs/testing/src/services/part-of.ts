import type { RunningService } from '@swim/messaging';
import { inEnvironment } from '@swim/platform';

/** A provider of a service. Its methods run in the test environment, as they do in operations of test keys. */
export function partOf<T extends object>({ app }: Pick<RunningService, 'app'>, type: new (...args: never[]) => T): T {
  return new Proxy(app.get<T>(type, { strict: false }), {
    get(provider, name) {
      const value = Reflect.get(provider, name);
      if (typeof value !== 'function' || '_isMockFunction' in value) return value;
      return (...args: unknown[]) => inEnvironment('test', () => value.apply(provider, args));
    },
  });
}
