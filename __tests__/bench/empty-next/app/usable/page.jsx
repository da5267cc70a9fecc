"use client";

import { useEffect, useState } from "react";

/**
 * An uncontrolled input that marks itself once hydrated. Nested as deep as a field of the product, since React walks up
 * the tree at every event.
 */
export default function Page() {
  const [isUsable, setUsable] = useState(false);
  useEffect(() => setUsable(true), []);
  return (
    <main>
      <div>
        <form>
          <div>
            <div>
              <div>
                <input aria-label="Name" data-usable={isUsable} />
              </div>
            </div>
          </div>
        </form>
      </div>
    </main>
  );
}
