// SPDX-License-Identifier: Apache-2.0
import './styles/page.css';
import './element.ts';
