import { lazy, Suspense } from 'react';
import type { ComboBoxProps } from './combo-box.tsx';
import { TextField } from './fields.tsx';

/** More script than most pages: it is loaded once a page shows one. */
const ComboBoxField = lazy(() => import('./combo-box.tsx'));

/** A choice of one of many: typing finds it. */
export function SearchChoice(props: ComboBoxProps) {
  const { label, placeholder = '', chosen = '' } = props;
  const loading = <TextField label={label} placeholder={placeholder} value={chosen} isDisabled />;
  return (
    <Suspense fallback={loading}>
      <ComboBoxField {...props} />
    </Suspense>
  );
}
