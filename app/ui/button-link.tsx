import type { LucideIcon } from 'lucide-react';
import { Link, type LinkProps } from 'react-router';
import { LOOKS } from './submit-button.tsx';

/** A link that looks like a button. */
export function ButtonLink({
  look = 'secondary',
  icon: Icon,
  children,
  ...link
}: Omit<LinkProps, 'className'> & { look?: keyof typeof LOOKS; icon?: LucideIcon }) {
  return (
    <Link {...link} className={`button-look ${LOOKS[look]}`}>
      {Icon === undefined ? null : <Icon size={18} aria-hidden="true" />}
      {children}
    </Link>
  );
}
