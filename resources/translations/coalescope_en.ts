<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<TS version="2.1" language="en_US" sourcelanguage="en">
    <context>
        <name>ComparisonTable</name>
        <message numerus="yes">
            <source>Median of %n run(s), no profiler attached; shortest %1, 10 % to 90 %: %2 to %3.</source>
            <translation>
                <numerusform>One run, no profiler attached; shortest %1, 10 % to 90 %: %2 to %3.</numerusform>
                <numerusform>Median of %n runs, no profiler attached; shortest %1, 10 % to 90 %: %2 to %3.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ReportPage</name>
        <message numerus="yes">
            <source>%1: median of %n run(s) with no profiler attached, shortest %2, 10 % to 90 %: %3 to %4.</source>
            <translation>
                <numerusform>%1: median of %n run with no profiler attached, shortest %2, 10 % to 90 %: %3 to %4.</numerusform>
                <numerusform>%1: median of %n runs with no profiler attached, shortest %2, 10 % to 90 %: %3 to %4.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>WarpModels</name>
        <message numerus="yes">
            <source>%n lane(s) reach outside of every buffer: lane %1, %2.</source>
            <translation>
                <numerusform>%n lane reaches outside of every buffer: lane %1, %2.</numerusform>
                <numerusform>%n lanes reach outside of every buffer: lane %1 is the first, %2.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n lane(s) reach outside of every buffer, lane %1 first.</source>
            <translation>
                <numerusform>%n lane reaches outside of every buffer, lane %1.</numerusform>
                <numerusform>%n lanes reach outside of every buffer, lane %1 first.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n wavefront(s)</source>
            <translation>
                <numerusform>%n wavefront</numerusform>
                <numerusform>%n wavefronts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n turn(s)</source>
            <translation>
                <numerusform>%n turn</numerusform>
                <numerusform>%n turns</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n sector(s)</source>
            <translation>
                <numerusform>%n sector</numerusform>
                <numerusform>%n sectors</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ExperimentPanel</name>
        <message numerus="yes">
            <source>block %1 = %2 threads, %n warp(s)</source>
            <translation>
                <numerusform>block %1 = %2 threads, %n warp</numerusform>
                <numerusform>block %1 = %2 threads, %n warps</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>block of %1 threads, %n warp(s)</source>
            <translation>
                <numerusform>block of %1 threads, %n warp</numerusform>
                <numerusform>block of %1 threads, %n warps</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n block(s) an SM</source>
            <translation>
                <numerusform>%n block an SM</numerusform>
                <numerusform>%n blocks an SM</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n register(s)</source>
            <translation>
                <numerusform>%n register a thread</numerusform>
                <numerusform>%n registers a thread</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Sweeps</name>
        <message numerus="yes">
            <source>Over %n measured launch(es) every prediction is the measured number.</source>
            <translation>
                <numerusform>The prediction of the one measured launch is the measured number.</numerusform>
                <numerusform>Over %n measured launches every prediction is the measured number.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n different problems (other buffers): only launches of the same one are compared.</source>
            <translation>
                <numerusform>One problem.</numerusform>
                <numerusform>%n different problems (other buffers): only launches of the same one are compared.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n other(s) are as good (within 0.1 %).</source>
            <translation>
                <numerusform>One other is as good (within 0.1 %).</numerusform>
                <numerusform>%n others are as good (within 0.1 %).</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n launch(es) are faulty: point at them.</source>
            <translation>
                <numerusform>One launch is faulty: point at it.</numerusform>
                <numerusform>%n launches are faulty: point at them.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Over %n measured launch(es) the measurement is off the prediction by %1 % on average, most for %2 (%3).</source>
            <translation>
                <numerusform>For the one measured launch the measurement is off the prediction by %1 %: %2 (%3).</numerusform>
                <numerusform>Over %n measured launches the measurement is off the prediction by %1 % on average, most for %2 (%3).</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n more within the mean error (%1).</source>
            <translation>
                <numerusform>One more within the mean error (%1).</numerusform>
                <numerusform>%n more within the mean error (%1).</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepMeasure</name>
        <message numerus="yes">
            <source>Runs %n launch(es) on %1, one after another, and keeps each as it comes: a sweep that was cancelled goes on where it was.</source>
            <translation>
                <numerusform>Runs one launch on %1 and keeps what is measured.</numerusform>
                <numerusform>Runs %n launches on %1, one after another, and keeps each as it comes: a sweep that was cancelled goes on where it was.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Try %n failed again</source>
            <translation>
                <numerusform>Try the failed one again</numerusform>
                <numerusform>Try %n failed again</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepPanel</name>
        <message numerus="yes">
            <source>predicted in %1 · %n program(s) compiled (%2, all threads)</source>
            <translation>
                <numerusform>predicted in %1 · %n program compiled (%2)</numerusform>
                <numerusform>predicted in %1 · %n programs compiled (%2, all threads)</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Predict %Ln launch(es)</source>
            <translation>
                <numerusform>Predict %Ln launch</numerusform>
                <numerusform>Predict %Ln launches</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ComparisonPicture</name>
        <message numerus="yes">
            <source>%n further access(es) of the warp have no room here.</source>
            <translation>
                <numerusform>One further access of the warp has no room here.</numerusform>
                <numerusform>%n further accesses of the warp have no room here.</numerusform>
            </translation>
        </message>
    </context>
</TS>
