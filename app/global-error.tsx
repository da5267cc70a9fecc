"use client";

import { GlobalErrorPage } from "@/components/outcome/global-error-page";
import "./site.css";

export default GlobalErrorPage;
