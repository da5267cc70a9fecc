"use client";

import { useEffect, useState } from "react";

/** `until` is an ISO time, and `time` the same time in words. */
export function TimeLeft({ until, time }: { until: string; time: string }) {
  // Not known while the server renders, whose time would differ from the browser's.
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const count = () => setSeconds(Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [until]);
  if (seconds === null) return `This is possible until ${time}.`;
  if (seconds === 0) return "The time for this is over.";
  const left = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${left} left, until ${time}.`;
}
