import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

/**
 * Lets a process of jest compile each module once: jest loads the project's modules, and its own, anew for each test file, and
 * passes none of V8's code from one file to the next.
 */
function keepCompiledCode() {
  /** @type {Map<string, { source: string, code: Buffer | undefined }>} */
  const functions = new Map();
  /** @type {Map<string, { source: string, code: Buffer }>} */
  const modules = new Map();
  const { compileFunction, SourceTextModule } = vm;

  vm.compileFunction = (source, params, options = {}) => {
    const name = options.filename ?? '';
    const known = functions.get(name);
    if (known?.code && known.source === source)
      return compileFunction(source, params, { ...options, cachedData: known.code });
    const compiled = compileFunction(source, params, { ...options, produceCachedData: true });
    functions.set(name, { source, code: compiled.cachedData });
    return compiled;
  };

  vm.SourceTextModule = class extends SourceTextModule {
    /** @param {string} source @param {vm.SourceTextModuleOptions} [options] */
    constructor(source, options = {}) {
      const name = options.identifier ?? '';
      const known = modules.get(name);
      const code = known?.source === source ? known.code : undefined;
      super(source, code ? { ...options, cachedData: code } : options);
      // @ts-expect-error: the types lack this method.
      if (!code) modules.set(name, { source, code: this.createCachedData() });
    }
  };
  syncBuiltinESMExports();
}

// Processes that tests start inherit this import, and not always the option with which Node has these modules.
if (vm.SourceTextModule) keepCompiledCode();
