import { useEffect, useState } from 'react';
import { useLanguage } from '../texts/language.tsx';
import { Button } from './button.tsx';

const CONFIRMED_MS = 2_000;

/** A text to copy, such as a key; it can also be selected where the clipboard is not available. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const { t } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className="copyable">
      <input
        className="input mono"
        aria-label={label}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <Button onPress={copy}>{isCopied ? t('action.copied') : t('action.copy')}</Button>
      <span className="visually-hidden" role="status">
        {isCopied ? t('action.copied') : ''}
      </span>
    </div>
  );
}
